/** The alerts of a host, as the core has them. No member throws or rejects. */

import type { Millis } from "../machine/id.ts";
import type { AlertFacts } from "./alerts.ts";
import type { GitProxies } from "./forge.ts";
import type { Model } from "./model.ts";

export interface OperatorAlerts {
  /** What is wrong now, by a key; null: nothing. */
  set(key: string, facts: AlertFacts | null): void;
  /** What lasts on every host, the oldest first. */
  open(): readonly OpenAlert[];
  /** The same model; what its provider refuses is noticed. */
  model(model: Model): Model;
  /** The same doors; whether what is behind them takes its credential is noticed. */
  doors(doors: GitProxies): GitProxies;
  /** Called once the host is up. `tier`: of its sandbox. */
  started(tier: string): Promise<void>;
  /** Tells nothing more. */
  close(): Promise<void>;
}

/** `text`: the host's own. */
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
