/** What a step does to questions, declared on the caller's floor. */

import type { ConversationId, Millis, PersonId, QuestionId } from "../machine/id.ts";
import { ANSWERS, type QuestionSpec, type Choice, type Request, type Speaker } from "../machine/words.ts";
import { type Action, OWN_ACTIONS } from "../thread/post.ts";

export type QuestionChange =
  | {
      readonly kind: "asked";
      readonly wire: string;
      readonly question: QuestionId;
      readonly type: QuestionSpec["kind"];
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
const JUDGEMENTS = ["thumb_up", "thumb_down", "why", "solved"] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

/** The button of a post that a feature made, by the name under which the feature handles it. */
export interface FeatureAction {
  readonly feature: string;
}

const OTHERS = ["stop_and_send", "deeper"] as const;
type CoreAction = Action | Judgement | (typeof OTHERS)[number];
export type ClickAction = CoreAction | FeatureAction;

const CLICKS: readonly CoreAction[] = [...ANSWERS, ...OWN_ACTIONS, ...JUDGEMENTS, ...OTHERS];

/** A name that the core does not know is a feature's, or that of a feature which this host does not have. */
export const clickAction = (name: string): ClickAction =>
  CLICKS.find((one) => one === name) ?? { feature: name };

export interface Requests {
  /** Whether the change that this turn asks for may be put before approvers; null where nobody may ask so. Must not reject. */
  weigh(id: ConversationId, speaker: Speaker): Promise<Request | null>;
}
