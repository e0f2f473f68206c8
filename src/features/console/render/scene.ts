/** What rendering needs beside the post itself. */

import type { MessageId } from "../../../machine/id.ts";
import type { Conversation } from "../../../ports/conversation.ts";
import type { QuestionRow } from "../../../ports/store.ts";
import type { Looks } from "../../../thread/call-text.ts";
import type { Words } from "../../../thread/prompt.ts";
import type { Say } from "../../../i18n/say.ts";
import type { WireJudged } from "./api-types.ts";

export interface RenderScene {
  readonly conversation: Conversation;
  readonly words: ReadonlyMap<MessageId, Words>;
  /** How the calls of each tool are told. */
  readonly looks: Looks;
  /** The pending question: its wire id stands on the buttons. */
  readonly question: QuestionRow | null;
  readonly sandboxNotice: string | null;
  readonly covers: string;
  readonly modelNotice: string | null;
  readonly say: Say;
  /** What is thought of the model's answer; absent where nobody is asked. */
  readonly judged?: (answer: MessageId, model: string) => WireJudged;
}
