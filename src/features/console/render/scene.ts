/** What rendering needs beside the post itself. */

import type { MessageId } from "../../../machine/id.ts";
import type { RenderScene } from "../../../ports/surface.ts";
import type { Say } from "../../../i18n/say.ts";
import type { WireJudged } from "./api-types.ts";

export interface PageScene extends Pick<RenderScene, "conversation" | "words" | "looks" | "question"> {
  readonly sandboxNotice: string | null;
  readonly covers: string;
  readonly modelNotice: string | null;
  readonly say: Say;
  /** What is thought of the model's answer; absent where nobody is asked. */
  readonly judged?: (answer: MessageId, model: string) => WireJudged;
}
