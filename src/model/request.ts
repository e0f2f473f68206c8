/**
 * The request as the provider takes it. Byte-stable: the same prefix and a longer history give the same bytes
 * followed by more, so that the provider's cache keeps hitting (BED-017). Whatever the history holds, the result
 * obeys the API's rules: one odd tool name or empty text must not make a conversation unusable for ever.
 *
 * Cache breakpoints, four in all: last tool, system, the last block of the newest user message, and that of the
 * one before it, which is where the previous request ended: found even if more than 20 blocks lie between.
 */

import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { z } from "zod";
import type { ImageRef, PromptBlock, PromptMessage } from "../core/prompt.ts";
import type { ModelRequest, ToolSpec } from "../runtime/ports.ts";
import { modelFacts } from "./catalogue.ts";
import type { Pictures } from "./images.ts";
import { UNREADABLE_INPUT } from "./outcome.ts";

const CACHED = { cache_control: { type: "ephemeral" } } as const;

export const requestParams = (
  request: ModelRequest,
  pictures: Pictures,
  maxTokens: number,
): MessageCreateParamsStreaming => ({
  model: request.model,
  max_tokens: Math.min(maxTokens, modelFacts(request.model).maxOutput),
  stream: true,
  ...tools(request.prefix.tools),
  ...system(request.prefix.system),
  messages: withBreakpoints(request.messages.flatMap((message) => messageParam(message, pictures))),
});

const tools = (specs: readonly ToolSpec[]): { tools?: Tool[] } => {
  if (specs.length === 0) return {};
  const last = specs.length - 1;
  return {
    tools: specs.map(({ name, description, inputSchema }, index) => ({
      name,
      description,
      input_schema: { ...inputSchema, type: "object" },
      ...(index === last ? CACHED : {}),
    })),
  };
};

const system = (text: string): { system?: TextBlockParam[] } =>
  text.trim() === "" ? {} : { system: [{ type: "text", text, ...CACHED }] };

interface Sent {
  readonly role: PromptMessage["role"];
  readonly content: ContentBlockParam[];
}

const messageParam = ({ role, content }: PromptMessage, pictures: Pictures): readonly Sent[] => {
  const blocks = content.flatMap((block) => blockParams(block, role, pictures));
  return blocks.length === 0 ? [] : [{ role, content: blocks }];
};

const opaque = z.custom<ContentBlockParam>(
  (raw) => typeof raw === "object" && raw !== null && "type" in raw && typeof raw.type === "string",
);

const blockParams = (
  block: PromptBlock,
  role: PromptMessage["role"],
  pictures: Pictures,
): readonly ContentBlockParam[] => {
  switch (block.kind) {
    case "text":
      return block.text.trim() === "" && role === "assistant" ? [] : [textParam(block.text)];
    case "toolUse":
      return [
        { type: "tool_use", id: wireId(block.id), name: wireName(block.name), input: wireInput(block.input) },
      ];
    case "toolResult":
      return [resultParam(block, pictures)];
    case "image":
      return [imageParam(block.image, pictures)];
    case "opaque": {
      const raw = opaque.safeParse(block.raw);
      return raw.success ? [raw.data] : [];
    }
  }
};

/** The API refuses text without a letter, and JSON with half a character. */
const textParam = (text: string): TextBlockParam => ({
  type: "text",
  text: text.trim() === "" ? "(empty)" : text.toWellFormed(),
});

/** An error may hold text only. */
const resultParam = (
  block: PromptBlock & { kind: "toolResult" },
  pictures: Pictures,
): ToolResultBlockParam => {
  const images = block.isError ? [] : block.images.map((image) => imageParam(image, pictures));
  const isBare = block.text.trim() === "" && images.length > 0;
  return {
    type: "tool_result",
    tool_use_id: wireId(block.id),
    content: isBare ? images : [textParam(block.text), ...images],
    ...(block.isError ? { is_error: true } : {}),
  };
};

const imageParam = (image: ImageRef, pictures: Pictures): ImageBlockParam | TextBlockParam => {
  const source = pictures.get(image.hash);
  return source === undefined
    ? { type: "text", text: "[A picture stood here; it is no longer available.]" }
    : { type: "image", source };
};

/** Applied to a use and to its result alike, so that they still match. */
const wireId = (id: string): string => id.replaceAll(/[^a-zA-Z0-9_-]/g, "_") || "_";

/** A name that the model made up goes back as near to it as the API allows. */
const wireName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 128) || "_";

const inputObject = z.record(z.string(), z.unknown());

const wireInput = (input: unknown): Record<string, unknown> => {
  const parsed = inputObject.safeParse(input);
  return parsed.success ? parsed.data : { [UNREADABLE_INPUT]: input ?? null };
};

const withBreakpoints = (messages: readonly Sent[]): Sent[] => {
  const users = messages.flatMap((message, index) => (message.role === "user" ? [index] : []));
  const marked = new Set(users.slice(-2));
  return messages.map((message, index) => (marked.has(index) ? withBreakpoint(message) : message));
};

const withBreakpoint = ({ role, content }: Sent): Sent => ({
  role,
  content: content.map((block, index) => (index === content.length - 1 ? marked(block) : block)),
});

/** The kinds of block that a user message made here can end with. */
const marked = (block: ContentBlockParam): ContentBlockParam => {
  if (block.type === "text" || block.type === "image" || block.type === "tool_result") {
    return { ...block, ...CACHED };
  }
  return block;
};
