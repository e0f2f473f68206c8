/**
 * A longer history gives the same bytes followed by more, so that the provider's cache keeps hitting (BED-017). The four cache
 * breakpoints are the last tool, the system, and the last block of each of the two newest user messages. The previous request
 * ended at the older message, so the cache finds that end even if more than 20 blocks lie between.
 */

import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { ToolSpec } from "../ports/conversation.ts";
import type { ModelRequest } from "../ports/model.ts";
import type { Blobs } from "../ports/store.ts";
import { withDistinctIds } from "./distinct-ids.ts";
import { loadPictures, type LoadedPictures } from "./images.ts";
import { type MessageCache, fillPictures, cachedMessages } from "./message-cache.ts";
import { isThought, type WireMessage } from "./messages.ts";
import type { ConfiguredModel } from "./provider.ts";
import { budgetIn, effortOf, thinksAsItLikes } from "./thinking.ts";

const CACHED = { cache_control: { type: "ephemeral" } } as const;

export interface RequestDeps {
  readonly model: Pick<ConfiguredModel, "name" | "caching" | "thinking">;
  readonly blobs: Pick<Blobs, "get">;
  readonly maxTokens: number;
  readonly made: MessageCache;
  readonly isRefused: (hash: string) => boolean;
}

interface PreparedRequest {
  readonly params: MessageCreateParamsStreaming;
  readonly pictures: LoadedPictures;
}

export const requestParams = async (
  request: ModelRequest,
  { model, blobs, maxTokens, made, isRefused }: RequestDeps,
): Promise<PreparedRequest> => {
  const taken = cachedMessages(withDistinctIds(request.messages), made, model.name);
  const pictures = await loadPictures(
    taken.pictured.map(({ message }) => message),
    blobs,
    isRefused,
  );
  fillPictures(taken, pictures, model.name);
  const mark = model.caching ? CACHED : {};
  if (model.caching) markBreakpoints(taken.sent);
  const max = Math.min(maxTokens, request.maxTokens ?? maxTokens);
  const params: MessageCreateParamsStreaming = {
    model: model.name,
    max_tokens: max,
    stream: true,
    ...tools(request.prefix.tools, mark),
    ...system(request.prefix.system, mark),
    ...thinking(model, max, taken.sent),
    messages: taken.sent,
  };
  return { params, pictures };
};

const thinking = (
  { name, thinking: wanted }: Pick<ConfiguredModel, "name" | "thinking">,
  room: number,
  sent: readonly WireMessage[],
): Pick<MessageCreateParamsStreaming, "thinking" | "output_config"> => {
  if (wanted === null) return {};
  if (thinksAsItLikes(name)) {
    const output_config = { effort: effortOf(wanted) };
    return { thinking: { type: "adaptive", display: "summarized" }, output_config };
  }
  const last = sent.findLast(({ role }) => role === "assistant")?.content ?? [];
  const budget_tokens = budgetIn(room, wanted, {
    calls: last.some(({ type }) => type === "tool_use"),
    thought: last[0] !== undefined && isThought(last[0]),
  });
  return budget_tokens === null ? {} : { thinking: { type: "enabled", budget_tokens } };
};

const tools = (specs: readonly ToolSpec[], mark: Partial<typeof CACHED>): { tools?: Tool[] } => {
  if (specs.length === 0) return {};
  const last = specs.length - 1;
  return {
    tools: specs.map(({ name, description, inputSchema }, index) => ({
      name,
      description,
      input_schema: { ...inputSchema, type: "object" },
      ...(index === last ? mark : {}),
    })),
  };
};

const system = (text: string, mark: Partial<typeof CACHED>): { system?: TextBlockParam[] } =>
  text.trim() === "" ? {} : { system: [{ type: "text", text, ...mark }] };

const markBreakpoints = (messages: WireMessage[]): void => {
  const last = lastOfUser(messages, messages.length);
  for (const index of [last, lastOfUser(messages, last)]) {
    const message = messages[index];
    if (message !== undefined) messages[index] = withBreakpoint(message);
  }
};

const lastOfUser = (messages: readonly WireMessage[], end: number): number =>
  messages.findLastIndex(({ role }, index) => role === "user" && index < end);

const withBreakpoint = ({ role, content }: WireMessage): WireMessage => ({
  role,
  content: content.map((block, index) => (index === content.length - 1 ? marked(block) : block)),
});

/** Marks the kinds of block that can end a user message. */
const marked = (block: ContentBlockParam): ContentBlockParam => {
  if (block.type === "text" || block.type === "image" || block.type === "tool_result") {
    return { ...block, ...CACHED };
  }
  return block;
};
