import type { StopReason, Usage } from "../machine/vocabulary.ts";
import type { ModelOutcome, ModelRequest } from "../ports/model.ts";
import type { Prices } from "../ports/money.ts";
import type { AnswerBlock } from "../thread/prompt.ts";
import { costMicroUsd } from "./catalogue.ts";
import type { ResponsePart, ReceivedResponse } from "./draft.ts";
import { EMPTY_ANSWER } from "./failure.ts";
import { isRecord, jsonIn } from "../text/json.ts";
import { UNREADABLE_INPUT } from "../text/unreadable-input.ts";
import { isWellFormed } from "../text/well-formed.ts";
import type { WireBlock, WireUsage } from "./stream-events.ts";

/** An empty response is an answer only with `end_turn`, or with a stop that is an answer in itself. */
const MAY_BE_EMPTY: ReadonlySet<StopReason> = new Set(["end", "refusal", "window"]);

/** `asked`: the request, to estimate the usage if the provider counted nothing. */
export const outcomeOf = (received: ReceivedResponse, prices: Prices, asked: Asked): ModelOutcome => {
  const stop = stopOf(received);
  if (received.parts.every(isEmpty) && !MAY_BE_EMPTY.has(stop)) {
    return { kind: "failed", failure: EMPTY_ANSWER };
  }
  const blocks = distinct(received.parts.filter((part) => isKept(part, stop)).map(blockOf), asked);
  const { input_tokens: input, output_tokens: output } = received.usage;
  if (input !== undefined || output !== undefined) {
    return { kind: "answered", blocks, stop, usage: usageOf(received.usage, prices) };
  }
  const guess = { input_tokens: inputOfAsked(asked), output_tokens: tokensOf(received.parts) };
  return { kind: "answered", blocks, stop, usage: usageOf(guess, prices), estimated: true };
};

type Asked = Pick<ModelRequest, "prefix" | "messages">;

/** Bytes per token, for text that the provider did not count. */
const BYTES = 4;

const inputOfAsked = ({ prefix, messages }: Asked): number => tokensOf([prefix, messages]);

const tokensOf = (things: readonly unknown[]): number =>
  Math.ceil(things.reduce<number>((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)), 0) / BYTES);

const STOPS: ReadonlyMap<string | null, StopReason> = new Map([
  ["tool_use", "tools"],
  ["max_tokens", "max_tokens"],
  ["pause_turn", "pause"],
  ["refusal", "refusal"],
  ["model_context_window_exceeded", "window"],
]);

/** Missing and unknown reasons are `end`. A complete call runs even so (D60), because gateways send calls with such reasons. */
const stopOf = ({ stopReason, parts }: Pick<ReceivedResponse, "stopReason" | "parts">): StopReason => {
  const stop = STOPS.get(stopReason) ?? "end";
  const mayCall = stop === "end" || stop === "pause";
  return mayCall && parts.some(({ kind }) => kind === "tool") ? "tools" : stop;
};

const isEmpty = (part: ResponsePart): boolean => part.kind === "text" && part.text === "";

/** Drops cut tool uses, which arrive without an error, and cut thoughts, which lack their signature. */
const isKept = (part: ResponsePart, stop: StopReason): boolean => {
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

const blockOf = (part: ResponsePart): AnswerBlock => {
  switch (part.kind) {
    case "text":
      return { kind: "text", text: part.text.toWellFormed() };
    case "tool": {
      const input = inputOf(part.input, part.json);
      return {
        kind: "toolUse",
        id: part.id.toWellFormed(),
        name: part.name.toWellFormed(),
        input: isWellFormed(input) ? input : { [UNREADABLE_INPUT]: JSON.stringify(input) },
      };
    }
    case "opaque":
      return { kind: "opaque", raw: rawOf(part.raw, part.json) };
  }
};

/** Without any delta, uses the input of the block's start. Text that is no object is wrapped, so that the tool refuses it. */
const inputOf = (start: unknown, json: string): unknown => {
  if (json.trim() === "")
    return typeof start === "string" ? inputOf({}, start) : isRecord(start) ? start : {};
  const parsed = jsonIn(json);
  if (isRecord(parsed)) return parsed;
  // JSON inside a JSON string, once.
  const inner = typeof parsed === "string" ? jsonIn(parsed) : undefined;
  return isRecord(inner) ? inner : { [UNREADABLE_INPUT]: json.toWellFormed() };
};

/** Tools that the provider runs stream their input too. */
const rawOf = (raw: WireBlock, json: string): WireBlock =>
  json === "" ? raw : { ...raw, input: inputOf(raw["input"], json) };

/** Results are matched by id (L4), but some servers repeat an id in a later response or within one. */
const distinct = (
  blocks: readonly AnswerBlock[],
  { messages }: Pick<Asked, "messages">,
): readonly AnswerBlock[] => {
  if (blocks.every(({ kind }) => kind !== "toolUse")) return blocks;
  const seen = new Set(
    messages.flatMap(({ content }) => content.flatMap((one) => (one.kind === "toolUse" ? [one.id] : []))),
  );
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

/** The exact output count arrives only at the end of an answer. */
export const brokenUsage = (
  broken: Pick<ReceivedResponse, "parts" | "usage"> | null,
  prices: Prices,
  asked: Asked,
): { readonly usage?: Usage } => {
  if (broken === null) return {};
  const { input_tokens = inputOfAsked(asked), output_tokens = 0 } = broken.usage;
  const output = Math.max(output_tokens, tokensOf(broken.parts));
  return { usage: usageOf({ ...broken.usage, input_tokens, output_tokens: output }, prices) };
};

const usageOf = (wire: WireUsage, prices: Prices): Usage => {
  const counted = {
    input: wire.input_tokens ?? 0,
    output: wire.output_tokens ?? 0,
    cacheRead: wire.cache_read_input_tokens ?? 0,
    cacheWrite: wire.cache_creation_input_tokens ?? 0,
  };
  return { ...counted, costMicroUsd: costMicroUsd(prices, counted) };
};
