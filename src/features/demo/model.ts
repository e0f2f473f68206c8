/**
 * The demo model: no AI, a script that uses the real tools. Only the messages determine an answer, so the same messages give
 * the same answer in any process, and every final answer says that it is from the demo model. Owns: the speed at which its text
 * appears. Does not own: the text (demo/script.ts).
 */

import type { Millis } from "../../machine/id.ts";
import type { Usage } from "../../machine/vocabulary.ts";
import { type Clock, pause } from "../../ports/host.ts";
import type { Model, ModelHooks, ModelOutcome, ModelRequest } from "../../ports/model.ts";
import type { AnswerBlock, PromptMessage } from "../../thread/prompt.ts";
import { type DemoReply, finalReply } from "./reply.ts";
import { nextReply } from "./script.ts";
import { readTurn } from "./turn.ts";
import { HEAD, SEED } from "../../thread/summary-prompt.ts";

/** Time between two pieces of text. */
const PACE: Millis = 15;
const WINDOW = 200_000;
/** Maximum number of pieces of a text, so that a long text takes seconds instead of minutes. */
const MAX_PIECES = 200;
const MIN_PIECE = 12;
const BYTES_PER_TOKEN = 4;

export const createDemoModel = ({ clock }: { readonly clock: Clock }): Model => ({
  respond: async (request, hooks) => {
    const reply = onwardReply(request) ?? nextReply(readTurn(request.messages));
    const isWhole = await tell(reply.text, clock, hooks);
    return isWhole ? answer(request, reply) : { kind: "aborted" };
  },
  window: () => WINDOW,
});

/** Returns false if the request was aborted. */
const tell = async (text: string, clock: Clock, { signal, onText }: ModelHooks): Promise<boolean> => {
  for (const piece of piecesOf(text)) {
    await pause(clock, PACE, signal);
    if (signal.aborted) return false;
    onText(piece);
  }
  return !signal.aborted;
};

/** Cuts between characters. */
const piecesOf = (text: string): readonly string[] => {
  const points = Array.from(text);
  const size = Math.max(MIN_PIECE, Math.ceil(points.length / MAX_PIECES));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size).join(""),
  );
};

/** Ids differ between rounds because the messages grow with every round. */
const answer = (request: ModelRequest, { text, calls }: DemoReply): ModelOutcome => {
  const uses = calls.map(
    ({ name, input }, index): AnswerBlock => ({
      kind: "toolUse",
      id: `demo_${request.messages.length}_${index}`,
      name,
      input,
    }),
  );
  return {
    kind: "answered",
    blocks: [{ kind: "text", text }, ...uses],
    stop: uses.length > 0 ? "tools" : "end",
    usage: usageOf(request, { text, calls }),
  };
};

/** Estimates a quarter of the bytes as tokens, without cost. */
const usageOf = ({ prefix, messages }: ModelRequest, reply: DemoReply): Usage => ({
  input: tokens(prefix) + tokens(messages),
  output: tokens(reply),
  cacheRead: 0,
  cacheWrite: 0,
  costMicroUsd: 0,
});

const tokens = (value: unknown): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_PER_TOKEN);

/** Maximum number of messages in a summary, and of characters of each. A script can only repeat people's last messages. */
const TOLD = 5;
const LENGTH = 200;

/**
 * The reply at the end of a conversation, and at the start of the conversation that continues it; null for any other request.
 */
export const onwardReply = ({
  prefix,
  messages,
}: Pick<ModelRequest, "prefix" | "messages">): DemoReply | null => {
  const last = lastText(messages);
  if (prefix.tools.length === 0 && last.startsWith(HEAD)) return finalReply(summary(last));
  return last.startsWith(SEED)
    ? finalReply(
        "I have read the summary of the earlier conversation. Ask about the repository, or for a change.",
      )
    : null;
};

const summary = (told: string): string => {
  const lines = told.split("\n");
  const said = lines.flatMap((line, index) => {
    const next = /^\S/u.test(line) && line.includes(" said:", 1) ? (lines[index + 1] ?? "") : "";
    return next === "" ? [] : [next.slice(0, LENGTH)];
  });
  return ["What people said last:", ...said.slice(-TOLD).map((line) => `- ${line}`)].join("\n");
};

const lastText = (messages: readonly PromptMessage[]): string => {
  const block = messages.at(-1)?.content.at(-1);
  return block?.kind === "text" ? block.text : "";
};
