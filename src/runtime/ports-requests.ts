/** Requests of people who may not have anything changed (D39). */

import type { ConversationId } from "../core/id.ts";
import type { Request, Speaker } from "../core/words.ts";

export interface Requests {
  /** Whether the change that this turn asks for may be put before approvers; null where nobody may ask so. Must not reject. */
  weigh(id: ConversationId, speaker: Speaker): Promise<Request | null>;
}
