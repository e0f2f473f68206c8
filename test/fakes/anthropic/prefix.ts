/**
 * The prompt as the cache sees it: one list of blocks in the order tools, system, messages, each with the exact JSON that
 * was sent (its cache_control taken off) and its weight in tokens.
 */

import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCountTokensParams,
  MessageCreateParams,
  MessageParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";

export type PromptBody = MessageCreateParams | MessageCountTokensParams;

export interface PrefixBlock {
  readonly section: "tools" | "system" | "messages";
  /** What must be equal, byte for byte, for a cached prefix to be read. */
  readonly json: string;
  readonly weight: number;
  /** Whether an automatic breakpoint may stand here. */
  readonly cacheable: boolean;
  /** Where the breakpoints of this block ask for a cache entry; several if nested blocks have their own. */
  readonly breakpoints: readonly ("5m" | "1h")[];
}

/** A picture's weight: the API counts pixels, this fake does not. */
const imageTokens = 1600;

/** Tokens of a text: a quarter of its UTF-8 bytes, rounded up. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

export const promptTokens = (blocks: readonly PrefixBlock[]): number =>
  blocks.reduce((sum, block) => sum + block.weight, 0);

/** A message's content as blocks: a string is shorthand for one text block. */
export const blocksOf = (message: MessageParam): readonly ContentBlockParam[] =>
  typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;

export const prefixOf = (body: PromptBody): readonly PrefixBlock[] => {
  const blocks = [
    ...(body.tools ?? []).map((tool) => blockOf("tools", "", tool)),
    ...systemOf(body).map((block) => blockOf("system", "", block)),
    ...body.messages.flatMap((message) =>
      blocksOf(message).map((block) => blockOf("messages", message.role, block)),
    ),
  ];
  const automatic = ttlOf(body.cache_control);
  const last = automatic === undefined ? -1 : blocks.findLastIndex((block) => block.cacheable);
  return blocks.map((block, index) =>
    index === last ? { ...block, breakpoints: [...block.breakpoints, automatic ?? "5m"] } : block,
  );
};

const systemOf = (body: PromptBody): readonly TextBlockParam[] =>
  typeof body.system === "string" ? [{ type: "text", text: body.system }] : (body.system ?? []);

const ttlOf = (control: CacheControlEphemeral | null | undefined): "5m" | "1h" | undefined =>
  control === null || control === undefined ? undefined : (control.ttl ?? "5m");

interface Cacheable {
  readonly cache_control?: CacheControlEphemeral | null;
}

const blockOf = (
  section: PrefixBlock["section"],
  role: string,
  block: Cacheable & { readonly type?: unknown },
): PrefixBlock => {
  const breakpoints: ("5m" | "1h")[] = [];
  let pictures = 0;
  let pictureBytes = 0;

  const bare = (one: Cacheable & { readonly type?: unknown }): object => {
    const { cache_control, ...rest } = one;
    const ttl = ttlOf(cache_control);
    if (ttl !== undefined) {
      breakpoints.push(ttl);
    }
    if (one.type === "image") {
      pictures += 1;
      pictureBytes += Buffer.byteLength(JSON.stringify(rest));
    }
    const content = "content" in rest ? rest.content : undefined;
    return one.type === "tool_result" && Array.isArray(content)
      ? { ...rest, content: content.map(bare) }
      : rest;
  };

  const json = `${role}${JSON.stringify(bare(block))}`;
  const weight = Math.ceil((Buffer.byteLength(json) - pictureBytes) / 4) + pictures * imageTokens;
  const cacheable = block.type !== "thinking" && block.type !== "redacted_thinking";
  return { section, json, weight, cacheable, breakpoints };
};
