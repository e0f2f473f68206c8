/** How the work mode of a conversation changes. */

import type { ConversationId, PersonId } from "../core/id.ts";
import type { ActResult, Conversation } from "./ports.ts";

/** The only way in which one does, whoever asks for it: the model's tool, a command, the console, a channel (TUL-007 3.5, TUL-009). */
export interface SessionModes {
  /**
   * Settles after the commit. Reason, organisation and person stand in the trace. Refused with `no_op` where it is that
   * mode already, with `unknown_mode` where the catalogue has none of the name.
   */
  setSessionMode(
    session: ConversationId,
    mode: string,
    reason: string,
    organisation: string,
    person: PersonId,
  ): Promise<ActResult>;
}

/** The server or workspace that a conversation belongs to, where it is known; else its surface. */
export const organisationOf = ({ surface, server }: Pick<Conversation, "surface" | "server">): string =>
  server === undefined ? surface : `${surface}:${server}`;
