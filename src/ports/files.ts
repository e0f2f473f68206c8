import type { ConversationId } from "../machine/id.ts";
import type { AttachedFile } from "../thread/prompt.ts";

export interface FileRules {
  /** Largest file of a message, in bytes. */
  readonly bytes: number;
  /** Directory of a conversation's files, as commands see it. */
  directory(id: ConversationId): string;
  /** Files that the conversation has already. */
  attached(id: ConversationId): readonly AttachedFile[];
}
