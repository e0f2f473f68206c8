/** Storage of alerts. No member throws or rejects. */

import type { Millis } from "../../machine/id.ts";
import type { AlertFacts } from "../../ports/alerts.ts";
import type { Done } from "../../ports/host.ts";

export interface AlertRow {
  /** Identifies the problem; each host has at most one alert for a key. */
  readonly key: string;
  /** The host that the alert concerns, if several hosts run; null: all hosts, or the only host. */
  readonly host: string | null;
  readonly facts: AlertFacts;
  readonly began: Millis;
  /** Null while the problem lasts. */
  readonly ended: Millis | null;
  readonly told: "nothing" | "began";
}

export const nameOfAlert = ({ key, host }: Pick<AlertRow, "key" | "host">): string => inHost(host, key);

export const inHost = (host: string | null, text: string): string =>
  host === null ? text : `${host}: ${text}`;

export interface AlertRows {
  alerts(): readonly AlertRow[];
  putAlert(row: AlertRow): Promise<Done>;
  dropAlert(row: Pick<AlertRow, "key" | "host">): Promise<Done>;
  /** Number of conversations that started while the kernel enforced Restricted, without archived ones: reads all of them. */
  held(): number;
}
