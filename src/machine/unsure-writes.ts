/**
 * Writes to the forge of which nobody knows whether they came about. The same, approved again, is another try of the first:
 * what that one has left is looked for before anything is written. Pure.
 */

import type { State } from "./state.ts";
import type { WriteApproval, UnconfirmedWrite, WriteOutcome } from "./words.ts";

/** More are not remembered: the oldest is let go. */
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

/** The first try of the same; null where none is in doubt. */
export const unsureOf = ({ unsure = [] }: State, approved: WriteApproval): UnconfirmedWrite | null =>
  unsure.find((one) => isSame(one, approved)) ?? null;

const isSame = (
  { approved: { write, fingerprint, commits } }: UnconfirmedWrite,
  other: WriteApproval,
): boolean => write === other.write && fingerprint === other.fingerprint && commits === other.commits;
