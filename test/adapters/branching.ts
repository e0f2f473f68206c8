/** A conversation that is asked to go on in a thread of its own, and processes that end while it is made. */

import type { WriteFailure } from "../../src/ports/host.ts";
import type { ModelOutcome } from "../../src/ports/model.ts";
import type { Store } from "../../src/ports/store.ts";
import type { NewThreads } from "../../src/ports/threads.ts";
import type { Tools } from "../../src/ports/tools.ts";
import type { PromptMessage } from "../../src/thread/prompt.ts";
import { textAnswer, toolAnswer } from "../runtime/world.ts";

const WISH = { mode: "triage", branch: true, reason: "it is a bug" };

/** Wishes for another mode at the first request of a conversation in the usual one. */
export const wishes = (messages: readonly PromptMessage[]): ModelOutcome => {
  const text = JSON.stringify(messages);
  if (text.includes('work mode \\"triage\\"')) {
    return textAnswer(text.includes("and now") ? "Still the cache." : "It is the cache.");
  }
  return text.includes("toolResult")
    ? textAnswer("ok")
    : toolAnswer({ name: "agent_change_mode", input: WISH });
};

export const modeIntent: Tools["intent"] = (name) =>
  name === "agent_change_mode" ? { intent: "mode", mode: "triage", branch: true } : { intent: "tool" };

/** What a process that ends at its `endAt`th deed for a new thread still does. */
export const mortal = (
  endAt: number,
): {
  readonly threads: (threads: NewThreads) => NewThreads;
  readonly store: (store: Store) => Store;
  readonly ended: Promise<void>;
  /** Deeds that it has come to. */
  deeds(): number;
} => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let deeds = 0;
  let isBranching = false;
  const ends = (): boolean => {
    if (isBranching) deeds += 1;
    if (isBranching && deeds > endAt) resolve();
    return isBranching && deeds > endAt;
  };
  const around = async <T>(deed: () => Promise<T>): Promise<T | WriteFailure> => {
    if (ends()) return GONE;
    const done = await deed();
    return ends() ? GONE : done;
  };
  return {
    ended,
    deeds: () => deeds,
    threads: (threads) => ({
      ...threads,
      open: async (...given) => {
        isBranching = true;
        if (ends()) return { kind: "ended" };
        const opened = await threads.open(...given);
        return ends() ? { kind: "ended" } : opened;
      },
    }),
    store: (store) => ({
      ...store,
      create: (...given) => around(() => store.create(...given)),
      commit: (commit) => around(() => store.commit(commit)),
      claim: (claim) => around(() => store.claim(claim)),
    }),
  };
};

const GONE: WriteFailure = { kind: "failed", code: "closing", message: "the process has ended" };
