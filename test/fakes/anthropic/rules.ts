/** The rules of the Messages API that its types cannot say. Each returns what is wrong, or undefined. */

import type {
  ContentBlockParam,
  MessageParam,
  ToolUnion,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { FakeModel } from "./models.ts";
import { pairingFault } from "./pairing.ts";
import { blocksOf, type PrefixBlock, type PromptBody } from "./prefix.ts";
import { signatureOf } from "./signature.ts";

export interface RuleContext {
  readonly body: PromptBody;
  readonly blocks: readonly PrefixBlock[];
  readonly model: FakeModel;
  /** Whether this content is an answer of this fake that ended in `pause_turn`: it may stand last. */
  readonly isPaused: (content: readonly ContentBlockParam[]) => boolean;
}

export const ruleFault = (context: RuleContext): string | undefined => {
  for (const rule of rules) {
    const fault = rule(context);
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
};

const order = ({ body }: RuleContext): string | undefined => {
  if (body.messages.length === 0) {
    return "messages: at least one message is required";
  }
  if (body.messages.length > 100_000) {
    return "messages: at most 100000 messages are allowed";
  }
  return body.messages[0]?.role === "user" ? undefined : 'messages: first message must use the "user" role';
};

const lastWord = ({ body, model, isPaused }: RuleContext): string | undefined => {
  const last = body.messages.at(-1);
  if (last?.role !== "assistant" || model.prefill || isPaused(blocksOf(last))) {
    return undefined;
  }
  return "This model does not support assistant message prefill. The conversation must end with a user message.";
};

const nonEmpty = ({ body }: RuleContext): string | undefined => {
  const system = typeof body.system === "string" ? [] : (body.system ?? []);
  if (system.some((block) => block.text.trim() === "")) {
    return "system: text content blocks must contain non-whitespace text";
  }
  const at = body.messages.findIndex((message) => blocksOf(message).length === 0);
  if (at !== -1) {
    return `messages.${at}: messages must have non-empty content`;
  }
  return firstOf(body.messages, (block) =>
    textsOf(block).some((text) => text.trim() === "")
      ? "text content blocks must contain non-whitespace text"
      : undefined,
  );
};

const textsOf = (block: ContentBlockParam): readonly string[] => {
  if (block.type === "text") {
    return [block.text];
  }
  return block.type === "tool_result" && Array.isArray(block.content)
    ? block.content.flatMap((inner) => (inner.type === "text" ? [inner.text] : []))
    : [];
};

const pairing = ({ body }: RuleContext): string | undefined => pairingFault(body.messages);

const toolBlocks = ({ body }: RuleContext): string | undefined =>
  firstOf(body.messages, (block) => {
    if (block.type === "tool_use") {
      return toolUseFault(block, body.tools);
    }
    if (block.type !== "tool_result") {
      return undefined;
    }
    if (body.tools === undefined) {
      return "`tool_result` blocks need `tools` to be given";
    }
    return block.is_error === true ? errorResultFault(block.content) : undefined;
  });

const toolUseFault = (
  block: Extract<ContentBlockParam, { type: "tool_use" }>,
  tools: readonly unknown[] | undefined,
): string | undefined => {
  if (tools === undefined) {
    return "`tool_use` blocks need `tools` to be given";
  }
  if (!/^[a-zA-Z0-9_-]+$/.test(block.id)) {
    return `tool_use.id: must match ^[a-zA-Z0-9_-]+$: ${block.id}`;
  }
  if (!toolName.test(block.name)) {
    return `tool_use.name: must match ${toolName.source}: ${block.name}`;
  }
  return typeof block.input === "object" && block.input !== null && !Array.isArray(block.input)
    ? undefined
    : "tool_use.input: must be an object";
};

const errorResultFault = (
  content: Extract<ContentBlockParam, { type: "tool_result" }>["content"],
): string | undefined => {
  if (content === undefined || content.length === 0) {
    return "tool_result: content cannot be empty if `is_error` is true";
  }
  return typeof content !== "string" && content.some((inner) => inner.type !== "text")
    ? 'tool_result: all content must be of type "text" if `is_error` is true'
    : undefined;
};

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;
const schemas = new Ajv2020({ strict: false });

const tools = ({ body }: RuleContext): string | undefined => {
  const given: readonly ToolUnion[] = body.tools ?? [];
  const names = given.flatMap((tool) => ("name" in tool && typeof tool.name === "string" ? [tool.name] : []));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    return `tools: tool names must be unique: ${twice}`;
  }
  const odd = names.find((name) => !toolName.test(name));
  if (odd !== undefined) {
    return `tools.${names.indexOf(odd)}.name: must match ${toolName.source}: ${odd}`;
  }
  const unfit = given.findIndex(
    (tool) => "input_schema" in tool && !schemas.validateSchema(tool.input_schema),
  );
  if (unfit !== -1) {
    return `tools.${unfit}.input_schema: not a JSON schema of draft 2020-12`;
  }
  const choice = body.tool_choice;
  if (choice !== undefined && given.length === 0) {
    return "tool_choice: may only be given together with tools";
  }
  return choice?.type === "tool" && !names.includes(choice.name)
    ? `tool_choice: tool "${choice.name}" is not among the tools`
    : undefined;
};

const breakpoints = ({ blocks }: RuleContext): string | undefined => {
  const ttls = blocks.flatMap((block) => block.breakpoints);
  if (ttls.length > 4) {
    return `a maximum of 4 blocks with cache_control may be provided, found ${ttls.length}`;
  }
  return ttls.lastIndexOf("1h") > ttls.indexOf("5m") && ttls.includes("5m")
    ? "cache_control: a ttl of 1h must not come after a ttl of 5m"
    : undefined;
};

const budget = ({ body, model }: RuleContext): string | undefined => {
  if (!("max_tokens" in body)) {
    return undefined;
  }
  const max = body.max_tokens;
  if (!Number.isInteger(max) || max < 0) {
    return "max_tokens: must be an integer of 0 or more";
  }
  if (max > model.maxTokens) {
    return `max_tokens: ${max} > ${model.maxTokens}, which is the maximum for ${model.id}`;
  }
  if (body.thinking?.type !== "enabled") {
    return undefined;
  }
  return body.thinking.budget_tokens < 1024 || body.thinking.budget_tokens >= max
    ? "thinking.budget_tokens: must be at least 1024 and less than max_tokens"
    : undefined;
};

const placement = ({ body }: RuleContext): string | undefined =>
  firstOf(body.messages, (block, role) => {
    if (role === "assistant" && block.type === "document") {
      return "document blocks are not allowed in assistant messages";
    }
    if (role !== "assistant" && block.type === "text" && (block.citations ?? []).length > 0) {
      return "citations are not allowed on text of a user message";
    }
    if (block.type !== "thinking") {
      return undefined;
    }
    if (role !== "assistant") {
      return "thinking blocks are only allowed in assistant messages";
    }
    return block.signature === signatureOf(block.thinking)
      ? undefined
      : "invalid `signature` in `thinking` block; it must be sent back as it was received";
  });

/** The API's JSON reader stops at half of a surrogate pair, in values and in keys. */
const whole = ({ body }: RuleContext): string | undefined => {
  const half = /\\\\|\\u(d[89a-f][0-9a-f]{2})/g;
  for (const [, code] of JSON.stringify(body).matchAll(half)) {
    if (code !== undefined) return `The request body is not valid JSON: no low surrogate in string: ${code}`;
  }
  return undefined;
};

const rules = [
  whole,
  order,
  nonEmpty,
  toolBlocks,
  pairing,
  lastWord,
  tools,
  breakpoints,
  budget,
  placement,
] as const;

/** The first complaint about a block, with the block's path before it. */
const firstOf = (
  messages: readonly MessageParam[],
  complain: (block: ContentBlockParam, role: MessageParam["role"]) => string | undefined,
): string | undefined => {
  for (const [at, message] of messages.entries()) {
    for (const [index, block] of blocksOf(message).entries()) {
      const complaint = complain(block, message.role);
      if (complaint !== undefined) {
        return `messages.${at}.content.${index}: ${complaint}`;
      }
    }
  }
  return undefined;
};
