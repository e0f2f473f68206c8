/** No member throws or rejects. */

import type { Millis } from "../machine/id.ts";
import type { AlertFacts } from "./alerts.ts";
import type { GitProxies } from "./forge.ts";
import type { Model } from "./model.ts";

export interface OperatorAlerts {
  /** Null facts end the alert. */
  set(key: string, facts: AlertFacts | null): void;
  /** Returns alerts of every host, the oldest first. */
  open(): readonly OpenAlert[];
  /** Wraps the model so that refusals of its provider raise an alert. */
  model(model: Model): Model;
  doors(doors: GitProxies): GitProxies;
  started(tier: string): Promise<void>;
  close(): Promise<void>;
}

export interface OpenAlert {
  readonly text: string;
  readonly began: Millis;
}

export const NO_ALERTS: OperatorAlerts = {
  set: () => undefined,
  open: () => [],
  model: (model) => model,
  doors: (doors) => doors,
  started: async () => undefined,
  close: async () => undefined,
};
