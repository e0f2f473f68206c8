/** The disk below the inbox, which refuses what arrives for as long as a test says. */

import type { ChatStore } from "../../src/ports/chat-rows.ts";

export interface Disk {
  /** What arrives is refused from now on, or taken. */
  refuse(now: boolean): void;
  /** How often something was refused. */
  refusals(): number;
  readonly below: (chat: ChatStore) => ChatStore;
}

export const createDisk = (): Disk => {
  let refuses = false;
  let refusals = 0;
  return {
    refuse: (now) => {
      refuses = now;
    },
    refusals: () => refusals,
    below: (chat) => ({
      ...chat,
      arrive: (...given) => {
        if (!refuses) return chat.arrive(...given);
        refusals += 1;
        return Promise.resolve({ kind: "failed", code: "disk_full", message: "The disk is full." });
      },
    }),
  };
};
