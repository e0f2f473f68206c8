/**
 * Corrects streams of chat completions for the SDK. Some servers send the arguments of a call as an object instead of JSON
 * text, or end a complete answer without a reason. A proxy that repeats a request may send two answers in one stream.
 */

import { isRecord, jsonIn } from "../../text/json.ts";
import { createSpliceCheck } from "./splice.ts";

/** Wraps `fetch` so that streamed answers have the usual shape. */
export const inUsualShape =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init);
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    if (!response.ok || !isStream || response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(shaped())
      .pipeThrough(new TextEncoderStream());
    return new Response(body, { status, statusText, headers });
  };

/** Length of the longest line that is buffered and parsed; longer lines pass unchanged. */
const LONGEST_LINE = 16 * 1024 * 1024;

const shaped = (): TransformStream<string, string> => {
  const shape = createShape();
  let pieces: string[] = [];
  let held = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      const end = chunk.lastIndexOf("\n") + 1;
      if (end === 0 && held + chunk.length <= LONGEST_LINE) {
        pieces.push(chunk);
        held += chunk.length;
        return;
      }
      const cut = end === 0 ? chunk.length : end;
      const lines = [...pieces, chunk.slice(0, cut)].join("");
      pieces = [chunk.slice(cut)];
      held = chunk.length - cut;
      controller.enqueue(end === 0 ? lines : lines.split("\n").map(shape).join("\n"));
    },
    flush: (controller) => controller.enqueue(shape(pieces.join(""))),
  });
};

const DATA = /^data: ?(.*?)\r?$/s;

const createShape = (): ((line: string) => string) => {
  let hasEnded = false;
  let chunk: Readonly<Record<string, unknown>> | null = null;
  const isOfAnother = createSpliceCheck();
  let isSpliced = false;
  return (line) => {
    const data = DATA.exec(line)?.[1]?.trim();
    // Lines of a second answer are dropped. An answer without its end counts as cut (WM6); a complete answer stays complete.
    if (isSpliced) return "";
    if (data === undefined) return line;
    if (data === "[DONE]") {
      // The answer is complete, so the missing reason is added.
      const reason = hasEnded || chunk === null ? "" : `data: ${JSON.stringify(ended(chunk))}\n\n`;
      hasEnded = true;
      return `${reason}${line}`;
    }
    const json = jsonIn(data);
    if (!isRecord(json) || !Array.isArray(json["choices"])) return line;
    const choices: readonly unknown[] = json["choices"];
    isSpliced = choices.length > 0 && isOfAnother(json["id"]);
    if (isSpliced) return "";
    if (choices.length > 0) chunk = json;
    hasEnded ||= choices.some((one) => isRecord(one) && typeof one["finish_reason"] === "string");
    const read = choices.map(withText);
    return read.every((one, index) => one === choices[index])
      ? line
      : `data: ${JSON.stringify({ ...json, choices: read })}`;
  };
};

const ended = (chunk: Readonly<Record<string, unknown>>): object => ({
  ...chunk,
  choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
});

/** Returns the same object if the arguments of every call are text. */
const withText = (choice: unknown): unknown => {
  const delta = isRecord(choice) ? choice["delta"] : undefined;
  const calls: unknown = isRecord(delta) ? delta["tool_calls"] : undefined;
  if (!isRecord(choice) || !isRecord(delta) || !Array.isArray(calls)) return choice;
  const read = calls.map((call: unknown) => {
    const named = isRecord(call) ? call["function"] : undefined;
    if (!isRecord(call) || !isRecord(named)) return call;
    const { arguments: sent } = named;
    return typeof sent === "object" && sent !== null
      ? { ...call, function: { ...named, arguments: JSON.stringify(sent) } }
      : call;
  });
  return read.every((one, index) => one === calls[index])
    ? choice
    : { ...choice, delta: { ...delta, tool_calls: read } };
};
