/** Checkouts that are ready at once and hold nothing. */

import type { Base, Conversation } from "../src/ports/conversation.ts";
import type { Workspaces } from "../src/ports/workspaces.ts";

/** `baseOf`: where a conversation works that has no checkout yet. */
export const plainWorkspaces = (baseOf: (conversation: Conversation) => Base): Workspaces => ({
  open: (conversation) => Promise.resolve({ kind: "ready", base: conversation.base ?? baseOf(conversation) }),
  stands: () => Promise.resolve(true),
  keep: () => Promise.resolve(),
  guidance: () => Promise.resolve([]),
  setUp: () => Promise.resolve(null),
});
