/** What the console says of what people think of an answer; see api-types.ts. */

import type { MessageId } from "../../../machine/id.ts";
import type { Thumb } from "../../../ports/feedback.ts";

export interface WireJudged {
  readonly id: MessageId;
  /** The operator's own. */
  readonly thumb: Thumb | null;
  readonly solved: boolean;
  /** The usual model may be asked to look deeper. */
  readonly deeper: boolean;
}
