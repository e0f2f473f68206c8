/** A conversation whose context fills up, and what becomes of it in a new one. */

import type { ModelOutcome } from "../../src/ports/model.ts";
import type { PromptMessage } from "../../src/thread/prompt.ts";
import { textAnswer, toolAnswer, usage } from "../runtime/world.ts";

/** Of a window of 200,000 tokens. */
export const FULL = 190_000;
export const NEARLY_FULL = 164_000;

/** The first answer uses so many tokens, then a summary, then the new conversation; `FULL` asks for a call that is not run. */
export const fills =
  (used: number) =>
  (messages: readonly PromptMessage[]): ModelOutcome => {
    const text = JSON.stringify(messages);
    if (text.includes("ends here, and goes on in a new one")) {
      return textAnswer("It is the cache. Next: clear it.");
    }
    if (text.includes("> It is the cache. Next: clear it.")) return textAnswer("Cleared.");
    const first =
      used === FULL
        ? toolAnswer({ name: "bash", input: { command: "make" } })
        : textAnswer("It may be the cache.");
    return first.kind === "answered" ? { ...first, usage: { ...usage, input: used } } : first;
  };
