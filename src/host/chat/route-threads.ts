/** New threads by the surface that a conversation lives on. */

import type { Conversation } from "../../ports/conversation.ts";
import type { NewThreads } from "../../ports/threads.ts";

/** `chat`: surfaces whose conversations live in threads; null where one is off in this process. */
export const routeThreads = (chat: Readonly<Record<string, NewThreads | null>>): NewThreads => {
  const threadsOf = ({ surface }: Conversation): NewThreads | null | undefined =>
    Object.hasOwn(chat, surface) ? chat[surface] : undefined;
  return {
    open: (from, opening, signal) => {
      const threads = threadsOf(from);
      if (threads === undefined) return Promise.resolve({ kind: "none" });
      return threads === null ? Promise.resolve({ kind: "ended" }) : threads.open(from, opening, signal);
    },
    joined: (from, key, person) => threadsOf(from)?.joined(from, key, person) ?? Promise.resolve(),
  };
};
