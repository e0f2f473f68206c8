/** If a write with an unknown outcome is approved again, the host first looks for the result of the earlier attempt. */

import type { State } from "./state.ts";
import type { WriteApproval, UnconfirmedWrite, WriteOutcome } from "./vocabulary.ts";

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

export const unsureOf = ({ unsure = [] }: State, approved: WriteApproval): UnconfirmedWrite | null =>
  unsure.find((one) => isSame(one, approved)) ?? null;

const isSame = (
  { approved: { write, fingerprint, commits, review } }: UnconfirmedWrite,
  other: WriteApproval,
): boolean =>
  write === other.write &&
  fingerprint === other.fingerprint &&
  commits === other.commits &&
  review?.requestsChanges === other.review?.requestsChanges &&
  review?.leftOut.join() === other.review?.leftOut.join();
