/** What the source documents call an accepted event: the trace carries these names beside our own (D17). */

import type { Event } from "./event.ts";
import type { State } from "./state.ts";

export const labels = (before: State, event: Event, after: State): readonly string[] => {
  const asked =
    after.phase.kind === "awaitingApproval" &&
    (before.phase.kind !== "awaitingApproval" || before.phase.question.id !== after.phase.question.id);
  return [...own(event), ...(asked ? ["ModeUpgradeRequested"] : [])];
};

const own = (event: Event): readonly string[] => {
  if (event.kind === "decided") {
    return [event.choice === "approve" ? "UserApproveUpgrade" : "UserDenyUpgrade"];
  }
  return event.kind === "restricted" ? ["UserRequestDowngrade"] : [];
};
