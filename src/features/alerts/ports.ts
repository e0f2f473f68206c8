/** Alerts as they are kept. No member throws or rejects. */

import type { Millis } from "../../machine/id.ts";
import type { AlertFacts } from "../../ports/alerts.ts";
import type { Done } from "../../ports/host.ts";

export interface AlertRow {
  /** What is wrong; one thing at a time, of each host. */
  readonly key: string;
  /** The one of several hosts that it is about; null: all of them, or the only one. */
  readonly host: string | null;
  readonly facts: AlertFacts;
  readonly began: Millis;
  /** Null while it lasts. */
  readonly ended: Millis | null;
  readonly told: "nothing" | "began";
}

/** By which it differs from all others. */
export const nameOfAlert = ({ key, host }: Pick<AlertRow, "key" | "host">): string => inHost(host, key);

/** Whose it is stands first, where there are several. */
export const inHost = (host: string | null, text: string): string =>
  host === null ? text : `${host}: ${text}`;

/** What of it outlives the process. */
export interface AlertRows {
  alerts(): readonly AlertRow[];
  /** Inserts or replaces. */
  putAlert(row: AlertRow): Promise<Done>;
  dropAlert(row: Pick<AlertRow, "key" | "host">): Promise<Done>;
  /** Conversations that began while the kernel held Restricted, archived ones left out: reads them all. */
  held(): number;
}
