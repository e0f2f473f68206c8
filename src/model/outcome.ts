/** What a received answer means to the core: blocks, stop and usage; tool uses only where they may run. */

import type { Stop, Usage } from "../machine/words.ts";
import type { ModelOutcome } from "../ports/model.ts";
import type { AnswerBlock } from "../thread/prompt.ts";
import { costMicroUsd } from "./catalogue.ts";
import type { Part, Received } from "./draft.ts";
import { EMPTY_ANSWER } from "./failure.ts";
import { parseJson, type WireBlock, type WireUsage } from "./stream-events.ts";

/** Key of what stands for a tool's input that was no JSON object; its value is the text as received. */
export const UNREADABLE_INPUT = "unreadable_input";

/** Nothing received is an answer only with `end_turn`, or with a stop that is an answer in itself. */
const MAY_BE_EMPTY: ReadonlySet<Stop> = new Set(["end", "refusal", "window"]);

export const outcomeOf = (received: Received, model: string): ModelOutcome => {
  const stop = stopOf(received.stopReason);
  if (received.parts.every(isEmpty) && !MAY_BE_EMPTY.has(stop)) {
    return { kind: "failed", failure: EMPTY_ANSWER };
  }
  const blocks = distinct(received.parts.filter((part) => isKept(part, stop)).map(blockOf));
  return { kind: "answered", blocks, stop, usage: usageOf(received.usage, model) };
};

const STOPS: ReadonlyMap<string | null, Stop> = new Map([
  ["tool_use", "tools"],
  ["max_tokens", "max_tokens"],
  ["pause_turn", "pause"],
  ["refusal", "refusal"],
  ["model_context_window_exceeded", "window"],
]);

/** `end_turn`, `stop_sequence`, and any reason not known here: nothing is run on a guess. */
const stopOf = (reason: string | null): Stop => STOPS.get(reason) ?? "end";

const isEmpty = (part: Part): boolean => part.kind === "text" && part.text === "";

/** A tool use that was cut arrives without an error, and a thought that was cut without the signature it needs. */
const isKept = (part: Part, stop: Stop): boolean => {
  switch (part.kind) {
    case "text":
      return part.text !== "";
    case "tool":
      return stop === "tools";
    case "opaque":
      return (stop !== "max_tokens" && stop !== "window") || isWhole(part.raw);
  }
};

const isWhole = (raw: WireBlock): boolean =>
  raw.type !== "thinking" || (typeof raw["signature"] === "string" && raw["signature"] !== "");

const blockOf = (part: Part): AnswerBlock => {
  switch (part.kind) {
    case "text":
      return part;
    case "tool":
      return { kind: "toolUse", id: part.id, name: part.name, input: inputOf(part.input, part.json) };
    case "opaque":
      return { kind: "opaque", raw: rawOf(part.raw, part.json) };
  }
};

/** No delta at all means the input of the block's start; text that is no object is wrapped for the tool to refuse. */
const inputOf = (start: unknown, json: string): unknown => {
  if (json.trim() === "") return isRecord(start) ? start : {};
  const parsed = parseJson(json);
  return isRecord(parsed) ? parsed : { [UNREADABLE_INPUT]: json };
};

/** Tools that the provider itself runs stream their input too. */
const rawOf = (raw: WireBlock, json: string): WireBlock =>
  json === "" ? raw : { ...raw, input: inputOf(raw["input"], json) };

/** Servers that only resemble the API may repeat an id within a response; results are told apart by it (L4). */
const distinct = (blocks: readonly AnswerBlock[]): readonly AnswerBlock[] => {
  const seen = new Set<string>();
  const copies = new Map<string, number>();
  return blocks.map((block) => {
    if (block.kind !== "toolUse") return block;
    let id = block.id;
    let copy = copies.get(id) ?? 2;
    for (; seen.has(id); copy += 1) id = `${block.id}_${copy}`;
    copies.set(block.id, copy);
    seen.add(id);
    return { ...block, id };
  });
};

/** Bytes per token of text whose count never came. */
const BYTES = 4;

/** What an answer that broke off has cost as far as can be told: its end alone says how much was written. */
export const brokenUsage = (
  broken: Pick<Received, "parts" | "usage"> | null,
  model: string,
): { readonly usage?: Usage } => {
  if (broken === null) return {};
  const bytes = broken.parts.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0);
  const output = Math.max(broken.usage.output_tokens ?? 0, Math.ceil(bytes / BYTES));
  return { usage: usageOf({ ...broken.usage, output_tokens: output }, model) };
};

const usageOf = (wire: WireUsage, model: string): Usage => {
  const counted = {
    input: wire.input_tokens ?? 0,
    output: wire.output_tokens ?? 0,
    cacheRead: wire.cache_read_input_tokens ?? 0,
    cacheWrite: wire.cache_creation_input_tokens ?? 0,
  };
  return { ...counted, costMicroUsd: costMicroUsd(model, counted) };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
