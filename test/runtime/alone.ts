/** What a bot stands on that has no chat platforms, keeps nothing beside its store, and goes on at the same commit. */

import type { ConversationFiles } from "../../src/ports/bot.ts";
import type { NewThreads } from "../../src/ports/threads.ts";
import type { CheckoutCopier } from "../../src/ports/workspaces.ts";

const threads: NewThreads = {
  open: () => Promise.resolve({ kind: "none" }),
  joined: () => Promise.resolve(),
};
const carries: CheckoutCopier = { carry: ({ base }) => Promise.resolve({ kind: "same", base }) };
const discards: ConversationFiles = { discard: () => Promise.resolve(), erase: () => Promise.resolve() };

export const alone = { threads, carries, discards };
