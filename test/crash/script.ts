/**
 * The scripted day: what two threads' people do, and a provider and tools that answer the same whenever they are
 * asked the same. Nothing here remembers a process: the provider reads the request, people read the thread.
 */

import type { PromptMessage } from "../../src/core/prompt.ts";
import type { Model, ModelOutcome } from "../../src/runtime/ports.ts";
import type { ToolOutcome, Tools } from "../../src/runtime/ports-tools.ts";
import { textAnswer, toolAnswer, toolResult, usage } from "../runtime/world.ts";

export interface Person {
  /** Name of the thread. */
  readonly name: string;
  readonly choice: "approve" | "deny";
  readonly says: readonly string[];
}

export const people: readonly Person[] = [
  { name: "first", choice: "approve", says: ["list", "change", "hang", "fail"] },
  { name: "second", choice: "deny", says: ["change", "hello"] },
];

/** What the world outside the host remembers. */
export interface Outside {
  /** Somebody has asked for another try of a turn that failed. */
  triedAgain: boolean;
}

export const createModel = (outside: Outside): Model => ({
  window: () => 200_000,
  respond: async ({ messages }, { signal, onText }) => {
    const answer = answerTo(messages, outside);
    if (answer.kind !== "answered") return answer;
    for (const block of answer.blocks) {
      if (block.kind !== "text") continue;
      for (let at = 0; at < block.text.length; at += CHUNK) onText(block.text.slice(at, at + CHUNK));
    }
    return signal.aborted ? { kind: "aborted" } : answer;
  },
});

const CHUNK = 2_000;

const answerTo = (messages: readonly PromptMessage[], outside: Outside): ModelOutcome => {
  const { said, results } = lastTurn(messages);
  switch (said) {
    case "list":
      return results === 0
        ? withText("Let me look.", toolAnswer({ name: "bash", input: { command: "ls" } }))
        : textAnswer("There are two files.");
    case "change":
      if (results === 0) return toolAnswer({ name: "request_mode_upgrade", input: { reason: "to write" } });
      return results === 1 ? toolAnswer({ name: "bash", input: { command: "make" } }) : textAnswer(LONG);
    case "hang":
      return toolAnswer({ name: "bash", input: { command: "hang" } });
    case "fail":
      return outside.triedAgain
        ? textAnswer("It works now.")
        : { kind: "failed", failure: { kind: "auth", message: "The key was refused.", retryAfter: null } };
    case "hello":
      return textAnswer("Hello.");
    default:
      throw new Error(`the script has no answer to ${said}`);
  }
};

/** Three pieces on Slack. */
const LONG = Array.from(
  { length: 60 },
  (_, index) => `Paragraph ${index + 1}: ${"words and more words ".repeat(7)}`,
).join("\n\n");

const withText = (text: string, answer: ModelOutcome): ModelOutcome =>
  answer.kind === "answered"
    ? { ...answer, blocks: [{ kind: "text", text }, ...answer.blocks], usage }
    : answer;

/** What a person said last, and how many tool uses have been answered since. */
const lastTurn = (
  messages: readonly PromptMessage[],
): { readonly said: string; readonly results: number } => {
  let said = "";
  let results = 0;
  for (const { content, role } of messages) {
    for (const block of content) {
      if (block.kind === "toolResult") results += 1;
      if (role !== "user" || block.kind !== "text" || !words.has(block.text)) continue;
      said = block.text;
      results = 0;
    }
  }
  return { said, results };
};

const words = new Set(people.flatMap(({ says }) => says));

export const tools: Tools = {
  specs: [{ name: "bash", description: "runs", inputSchema: { type: "object" } }],
  intent: (name) => ({ intent: name === "request_mode_upgrade" ? "upgrade" : "tool" }),
  dangers: () => Promise.resolve([]),
  run: ({ input }, { signal }) =>
    JSON.stringify(input).includes("hang") ? untilStopped(signal) : Promise.resolve(toolResult("done")),
  stopBackground: () => Promise.resolve(),
};

const untilStopped = (signal: AbortSignal): Promise<ToolOutcome> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(toolResult("[command cancelled]")));
  });
