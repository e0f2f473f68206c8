import type { MessageId } from "../../../machine/id.ts";
import type { RenderScene } from "../../../ports/surface.ts";
import type { Say } from "../../../i18n/say.ts";
import type { WireJudged } from "./api-types.ts";

export interface PageScene extends Pick<RenderScene, "conversation" | "words" | "looks" | "question"> {
  readonly sandboxNotice: string | null;
  readonly covers: string;
  readonly modelNotice: string | null;
  readonly say: Say;
  /** Judgment of the model's answer; absent if answers are not judged. */
  readonly judged?: (answer: MessageId, model: string) => WireJudged;
}
