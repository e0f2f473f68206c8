/**
 * The scripted day: what the people of five threads do, the fourth of which is full at once and goes on in a new one,
 * and a provider and tools that answer the same whenever they are asked the same. Nothing here remembers a process: the provider reads the request, people read the thread.
 */

import { createHash } from "node:crypto";
import type { Model, ModelOutcome } from "../../src/ports/model.ts";
import type { ToolOutcome, Tools } from "../../src/ports/tools.ts";
import type { FileRef, PromptMessage } from "../../src/thread/prompt.ts";
import { HEAD, SEED } from "../../src/thread/summary-prompt.ts";
import { textAnswer, toolAnswer, toolResult, usage } from "../runtime/world.ts";
import type { Play } from "./play.ts";
import { looks, originOf } from "../looks.ts";

export interface Person {
  /** Name of the thread. */
  readonly name: string;
  readonly choice: "approve" | "deny";
  readonly says: readonly string[];
}

const people: readonly Person[] = [
  { name: "first", choice: "approve", says: ["list", "change", "hang", "fail"] },
  { name: "second", choice: "deny", says: ["change", "share", "ask", "hello"] },
  { name: "third", choice: "deny", says: ["delegate"] },
  { name: "fourth", choice: "deny", says: ["fill"] },
  { name: "fifth", choice: "approve", says: ["join"] },
];

/** What a colleague adds to the turn of the fifth thread, and what waits for its end. */
export const JOINED = { add: "also", queue: "then" } as const;

/** What the sub-agents of the third thread are to do. */
const TASKS = ["count", "measure"];

/** What the world outside the host remembers. */
export interface Outside {
  /** Somebody has asked for another try of a turn that failed. */
  triedAgain: boolean;
}

const createModel = (outside: Outside, shown: () => Promise<void>): Model => ({
  window: () => 200_000,
  respond: async ({ messages }, { signal, onText }) => {
    const answer = answerTo(messages, outside);
    if (answer.kind !== "answered") return answer;
    for (const block of answer.blocks) {
      if (block.kind !== "text") continue;
      for (let at = 0; at < block.text.length; at += CHUNK) {
        onText(block.text.slice(at, at + CHUNK));
        if (block.text.length > CHUNK) await shown();
      }
    }
    return signal.aborted ? { kind: "aborted" } : answer;
  },
});

const CHUNK = 2_000;

const answerTo = (messages: readonly PromptMessage[], outside: Outside): ModelOutcome => {
  const beginning = firstText(messages);
  if (beginning.startsWith(HEAD)) return textAnswer(SUMMARY);
  if (beginning.includes(SEED)) {
    return textAnswer(beginning.includes(`> ${SUMMARY}`) ? "I go on with it." : "I know nothing of it.");
  }
  const { said, results, done, told } = lastTurn(messages);
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
    case "share":
      if (done === 0) return toolAnswer({ name: "attach_file", input: { path: "report.txt" } });
      return done === 1
        ? toolAnswer({ name: "patch", input: { path: "table.txt" } })
        : textAnswer("There they are.");
    case "ask":
      return results === 0
        ? toolAnswer({ name: "ask_person", input: { question: "Which one?", choices: ["This", "That"] } })
        : textAnswer(told);
    case "join":
      return toolAnswer({ name: "request_mode_upgrade", input: { reason: "to write" } });
    case JOINED.add:
      return textAnswer("I do both.");
    case JOINED.queue:
      return textAnswer("That is for later.");
    case "hello":
      return textAnswer("Hello.");
    case "delegate":
      return told.includes("2 of 2 sub-agents finished")
        ? textAnswer("Both have answered.")
        : toolAnswer({ name: "spawn_agents", input: { tasks: TASKS.map((task) => ({ task })) } });
    case "fill": {
      const wish = toolAnswer({ name: "bash", input: { command: "never" } });
      return wish.kind === "answered" ? { ...wish, usage: { ...usage, input: FULL } } : wish;
    }
    case "count":
      return results === 0
        ? toolAnswer({ name: "bash", input: { command: "ls" } })
        : toolAnswer({ name: "submit_result", input: { result: "There are two." } });
    case "measure":
      return textAnswer("It is long.");
    case "":
      // Asked by a process that has ended: it finds nothing of the conversation any more.
      return { kind: "aborted" };
    default:
      throw new Error(`the script has no answer to ${said}`);
  }
};

/** More than nine tenths of the window. */
const FULL = 190_000;
const SUMMARY = "It was about two files.";

const firstText = (messages: readonly PromptMessage[]): string =>
  messages[0]?.content.map((block) => (block.kind === "text" ? block.text : "")).join("\n") ?? "";

/** Three pieces on Slack. */
const LONG = Array.from(
  { length: 60 },
  (_, index) => `Paragraph ${index + 1}: ${"words and more words ".repeat(7)}`,
).join("\n\n");

const withText = (text: string, answer: ModelOutcome): ModelOutcome =>
  answer.kind === "answered"
    ? { ...answer, blocks: [{ kind: "text", text }, ...answer.blocks], usage }
    : answer;

/** What was said last, how many tool uses have been answered since, how many of them were done, and the last result. */
const lastTurn = (messages: readonly PromptMessage[]) => {
  let said = "";
  let results = 0;
  let done = 0;
  let told = "";
  for (const { content, role } of messages) {
    for (const block of content) {
      if (block.kind === "toolResult") {
        results += 1;
        told = block.text;
        if (block.text === "done") done += 1;
      }
      if (role !== "user" || block.kind !== "text" || !words.has(block.text)) continue;
      said = block.text;
      results = 0;
      done = 0;
    }
  }
  return { said, results, done, told };
};

const words = new Set([...people.flatMap(({ says }) => says), ...TASKS, ...Object.values(JOINED)]);

const tools: Tools = {
  specs: [{ name: "bash", description: "runs", inputSchema: { type: "object" } }],
  agentSpecs: [],
  intent: (name) => {
    if (name === "spawn_agents") return { intent: "spawn", agents: TASKS.map(() => ({})) };
    if (name === "submit_result") return { intent: "submit", success: true };
    if (name === "ask_person") return { intent: "ask", choices: 2 };
    return { intent: name === "request_mode_upgrade" ? "upgrade" : "tool" };
  },
  dangers: () => Promise.resolve([]),
  run: ({ name, input }, { signal }) => {
    if (JSON.stringify(input).includes("never")) throw new Error("what has no room is not run");
    if (JSON.stringify(input).includes("hang")) return untilStopped(signal);
    const done = toolResult("done");
    if (name === "patch") return Promise.resolve({ ...done, diff: LONG_DIFF });
    return Promise.resolve(name === "attach_file" ? { ...done, files: [REPORT] } : done);
  },
  origin: originOf,
  look: looks,
  stopBackground: () => Promise.resolve(),
};

/** More than a message holds: it is shown as a file. */
const LONG_DIFF = `--- a/table.txt\n+++ b/table.txt\n@@ -0,0 +1,400 @@\n${"+ten letters\n".repeat(400)}`;

const BYTES = Buffer.from("All is well.\n");
const REPORT: FileRef = {
  hash: createHash("sha256").update(BYTES).digest("hex"),
  name: "report.txt",
  title: "The report",
  mediaType: "text/plain",
  size: BYTES.length,
};

/** The one stored file of the day. */
export const readBlob = (hash: string): Promise<Buffer | null> =>
  Promise.resolve(hash === REPORT.hash ? BYTES : null);

const untilStopped = (signal: AbortSignal): Promise<ToolOutcome> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(toolResult("[command cancelled]")));
  });

export const everyday = (): Play => ({
  people,
  repo: { kind: "path", location: "/repo" },
  base: { commit: "abc123", ref: "main", cwd: "/work" },
  model: createModel,
  tools: () => tools,
  plain: (thread) => thread,
  left: () => ({}),
});
