/** The only timer there is: what the state waits for, and how long from when it began to (D11). */

import type { EffectId, Millis } from "./id.ts";
import type { State } from "./state.ts";

interface Deadline {
  readonly for: EffectId;
  readonly delay: Millis;
}

/** Null while a person's answer is awaited: nothing happens by itself (L10). */
export const deadline = (state: State): Deadline | null => {
  const { phase } = state;
  switch (phase.kind) {
    case "thinking":
    case "summarizing":
      return phase.wait === null ? null : { for: phase.wait.for, delay: phase.wait.delay };
    case "stopping":
    case "awaitingAgents":
      return phase.wait;
    case "idle":
    case "failed":
    case "exhausted":
    case "running":
    case "awaitingApproval":
    case "ended":
      return null;
  }
};
