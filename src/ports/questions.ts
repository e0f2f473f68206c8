import type { ConversationId, Millis, PersonId, QuestionId } from "../machine/id.ts";
import {
  ANSWERS,
  type QuestionSpec,
  type Choice,
  type Request,
  type Speaker,
} from "../machine/vocabulary.ts";
import { type Action, OWN_ACTIONS } from "../thread/post.ts";

export type QuestionChange =
  | {
      readonly kind: "asked";
      readonly wire: string;
      readonly question: QuestionId;
      readonly type: QuestionSpec["kind"];
      readonly at: Millis;
      /** Canonical JSON of the displayed content, with texts by id. */
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

/** Feedback on an answer. `why` comes with text. */
const JUDGEMENTS = ["thumb_up", "thumb_down", "why", "solved"] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export interface FeatureAction {
  readonly feature: string;
}

const OTHERS = [
  "stop_and_send",
  "add_to_turn",
  "send_when_done",
  "remove_waiting",
  "deeper",
  "answer_again",
] as const;
type CoreAction = Action | Judgement | (typeof OTHERS)[number];
export type ClickAction = CoreAction | FeatureAction;

const CLICKS: readonly CoreAction[] = [...ANSWERS, ...OWN_ACTIONS, ...JUDGEMENTS, ...OTHERS];

/** Unknown names belong to features, also to features that this host does not have. */
export const clickAction = (name: string): ClickAction =>
  CLICKS.find((one) => one === name) ?? { feature: name };

export interface Requests {
  /** Whether a requester's change may be put before approvers; null if the requester cannot ask. Must not reject. */
  weigh(id: ConversationId, speaker: Speaker): Promise<Request | null>;
}
