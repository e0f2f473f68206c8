/** What a step does to questions, declared on the caller's floor. */

import type { ConversationId, Millis, PersonId, QuestionId } from "../machine/id.ts";
import type { Ask, Choice, Request, Speaker } from "../machine/words.ts";
import type { Action } from "../thread/post.ts";

export type QuestionChange =
  | {
      readonly kind: "asked";
      readonly wire: string;
      readonly question: QuestionId;
      readonly type: Ask["kind"];
      readonly at: Millis;
      /** Canonical JSON of what people are shown; words by id. */
      readonly shown: string;
      /** SHA-256 of `shown`, so that a decision binds to it. */
      readonly fingerprint: string;
    }
  | {
      readonly kind: "decided";
      readonly question: QuestionId;
      readonly choice: Choice;
      readonly by: PersonId;
      readonly at: Millis;
    }
  | { readonly kind: "withdrawn"; readonly question: QuestionId; readonly by: PersonId; readonly at: Millis };

/** What people say of an answer; `why` comes with words. */
export type Judgement = "thumb_up" | "thumb_down" | "why" | "solved";

export type ClickAction = Action | Judgement | "stop_and_send" | "look" | "page" | "deeper";

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
  apply: "apply",
  pull_request: "pull_request",
  changes: "changes",
  discard: "discard",
  send: "send",
  edit: "edit",
  retry: "retry",
  retry_other: "retry_other",
  continue: "continue",
  ask_again: "ask_again",
  with_summary: "with_summary",
  new_empty: "new_empty",
  stop: "stop",
  stop_and_send: "stop_and_send",
  look: "look",
  page: "page",
  thumb_up: "thumb_up",
  thumb_down: "thumb_down",
  why: "why",
  solved: "solved",
  deeper: "deeper",
};

const ACTIONS: ReadonlyMap<string, ClickAction> = new Map(Object.entries(ALL));

export interface Requests {
  /** Whether the change that this turn asks for may be put before approvers; null where nobody may ask so. Must not reject. */
  weigh(id: ConversationId, speaker: Speaker): Promise<Request | null>;
}
