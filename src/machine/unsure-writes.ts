/**
 * Writes to the forge with an unknown outcome. If the same write is approved again, it is a retry of the first attempt. Before
 * it writes, the host looks for the result of that attempt.
 */

import type { State } from "./state.ts";
import type { WriteApproval, UnconfirmedWrite, WriteOutcome } from "./words.ts";

/** Maximum number of remembered writes. Beyond it, the oldest is dropped. */
const MOST = 20;

export const withWrote = (
  state: State,
  { effect, approved }: UnconfirmedWrite,
  wrote: WriteOutcome,
): State => {
  const { unsure = [], ...rest } = state;
  switch (wrote.kind) {
    case "unknown":
      return unsureOf(state, approved) === null
        ? { ...rest, unsure: [...unsure, { effect, approved }].slice(-MOST) }
        : state;
    case "done": {
      const left = unsure.filter((one) => !isSame(one, approved));
      return left.length === 0 ? rest : { ...rest, unsure: left };
    }
    case "void":
    case "failed":
      return state;
  }
};

/** Returns the first attempt of the same write; null if there is none. */
export const unsureOf = ({ unsure = [] }: State, approved: WriteApproval): UnconfirmedWrite | null =>
  unsure.find((one) => isSame(one, approved)) ?? null;

const isSame = (
  { approved: { write, fingerprint, commits } }: UnconfirmedWrite,
  other: WriteApproval,
): boolean => write === other.write && fingerprint === other.fingerprint && commits === other.commits;
