/** The only timer of a conversation (D11). The delay counts from the start of the wait. */

import type { EffectId, Millis } from "./id.ts";
import type { State } from "./state.ts";

interface Deadline {
  readonly for: EffectId;
  readonly delay: Millis;
}

/** Null while a person's decision is awaited: no timer ends that wait (L10). */
export const deadline = ({ phase }: State): Deadline | null => {
  const wait = "wait" in phase ? phase.wait : null;
  return wait === null ? null : { for: wait.for, delay: wait.delay };
};
