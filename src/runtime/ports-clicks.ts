/** What a button under a post stands for, by the name that both platforms put into it. */

import type { Action } from "../core/view.ts";

export type ClickAction = Action | "stop_and_send";

/** null: of no action that this version knows. */
export const clickAction = (name: string): ClickAction | null => ACTIONS.get(name) ?? null;

/** Written as a record first, so that the compiler misses whatever is left out. */
const ALL: Readonly<Record<ClickAction, ClickAction>> = {
  approve: "approve",
  deny: "deny",
  once: "once",
  session: "session",
  stay: "stay",
  switch: "switch",
  branch: "branch",
  retry: "retry",
  continue: "continue",
  ask_again: "ask_again",
  with_summary: "with_summary",
  new_empty: "new_empty",
  stop: "stop",
  stop_and_send: "stop_and_send",
};

const ACTIONS: ReadonlyMap<string, ClickAction> = new Map(Object.entries(ALL));
