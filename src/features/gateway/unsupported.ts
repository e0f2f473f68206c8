/**
 * Rejects fields of a chat request that change the result but that Parley does not support. After status 200, a client would
 * assume that the answer obeys these fields. Hints (`temperature`, `max_tokens`, `seed`, optional `tools`) are accepted. Pure.
 */

import type { ChatRequest } from "./request.ts";

export interface Unsupported {
  readonly param: string;
  readonly message: string;
}

/** The first unsupported field; null if all fields are supported. */
export const unsupportedIn = (request: ChatRequest): Unsupported | null => {
  for (const [param, isRefused, message] of RULES) if (isRefused(request)) return { param, message };
  return null;
};

type Rule = readonly [param: string, isRefused: (request: ChatRequest) => boolean, message: string];

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** The `type` or `name` of an object, or the string itself; undefined for other values. */
const typeOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "type" in value ? value.type : value;

const lastOf = ({ messages }: ChatRequest) =>
  messages.findLast(({ role }) => role !== "system" && role !== "developer");

const RULES: readonly Rule[] = [
  [
    "n",
    ({ n }) => isSet(n) && n !== 1,
    "n has to be 1: a turn has one answer. Send the request again for another one.",
  ],
  [
    "response_format",
    ({ response_format: format }) => isSet(format) && typeOf(format) !== "text",
    "response_format has to be text: Parley does not hold its answer to a schema. Ask for the form in the message.",
  ],
  [
    "tool_choice",
    ({ tool_choice: choice }) => isSet(choice) && choice !== "none" && choice !== "auto",
    "tool_choice has to be auto or none: Parley uses its own tools and calls none of the client's.",
  ],
  [
    "function_call",
    ({ function_call: choice }) => isSet(choice) && choice !== "none" && choice !== "auto",
    "function_call has to be auto or none: Parley uses its own tools and calls none of the client's.",
  ],
  [
    "modalities",
    ({ modalities }) =>
      isSet(modalities) && !(Array.isArray(modalities) && modalities.every((one) => one === "text")),
    "modalities has to be text: Parley answers with text.",
  ],
  ["audio", ({ audio }) => isSet(audio), "audio cannot be answered: Parley answers with text."],
  [
    "logprobs",
    ({ logprobs, top_logprobs: top }) => logprobs === true || (isSet(top) && top !== 0),
    "logprobs are not available: an answer may be made of several requests to the model.",
  ],
  [
    "stop",
    ({ stop }) => isSet(stop) && stop !== "" && !(Array.isArray(stop) && stop.length === 0),
    "stop sequences are not applied here. Leave them out, and cut the answer in the client.",
  ],
  [
    "messages",
    (request) => ["tool", "function"].includes(lastOf(request)?.role ?? ""),
    "The last message is a tool's result, and Parley calls no tool of a client. End messages with a user message.",
  ],
  [
    "messages",
    (request) => lastOf(request)?.role === "assistant",
    "The last message is an assistant's, and Parley does not continue it. End messages with a user message.",
  ],
];
