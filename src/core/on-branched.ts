/** The new thread that a person chose is there, or could not be made: both threads are linked (D16). */

import type { Event } from "./event.ts";
import type { State } from "./state.ts";
import { noticeEntry, refused, step } from "./step.ts";
import type { Transition } from "./step.ts";

export const branched = (state: State, event: Event & { kind: "branched" }): Transition => {
  const branch = state.branches.find(({ effect }) => effect === event.by);
  if (branch === undefined) return refused("stale");
  const branches = state.branches.filter(({ effect }) => effect !== event.by);
  const notice = noticeEntry(state, event.at, {
    kind: "branched",
    to: event.conversation,
    mode: branch.mode,
  });
  return step({ ...state, branches }, [notice]);
};
