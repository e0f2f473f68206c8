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
  /** Begins the checks. The start does not wait for what is stored, because the writer thread still loads. */
  started(tier: string): void;
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
  started: () => undefined,
  close: async () => undefined,
};
