/**
 * Which tool results may stand where. Stricter than the API in one point: it merges neighbouring messages of one role
 * before it looks, this fake does not, because law L4 promises the results in the very next message.
 */

import type { ContentBlockParam, MessageParam } from "@anthropic-ai/sdk/resources/messages/messages";
import { blocksOf } from "./prefix.ts";

/** What is wrong with the tool blocks, or undefined. */
export const pairingFault = (messages: readonly MessageParam[]): string | undefined => {
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const before = messages[index - 1];
    const fault =
      misplaced(index, message.role, blocks) ??
      repeated(index, blocks, seen) ??
      unanswered(index, blocks, messages[index + 1]) ??
      unasked(index, blocks, before === undefined ? [] : useIds(before)) ??
      outOfOrder(index, blocks);
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
};

const useIds = (message: MessageParam): readonly string[] =>
  blocksOf(message).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));

const resultIds = (blocks: readonly ContentBlockParam[]): readonly string[] =>
  blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));

const misplaced = (
  index: number,
  role: MessageParam["role"],
  blocks: readonly ContentBlockParam[],
): string | undefined => {
  if (role !== "assistant" && blocks.some((block) => block.type === "tool_use")) {
    return `messages.${index}: \`tool_use\` blocks can only be in \`assistant\` messages`;
  }
  return role !== "user" && blocks.some((block) => block.type === "tool_result")
    ? `messages.${index}: \`tool_result\` blocks can only be in \`user\` messages`
    : undefined;
};

const repeated = (
  index: number,
  blocks: readonly ContentBlockParam[],
  seen: Set<string>,
): string | undefined => {
  for (const block of blocks) {
    if (block.type === "tool_use") {
      if (seen.has(block.id)) {
        return `messages.${index}: \`tool_use\` ids must be unique, found twice: ${block.id}`;
      }
      seen.add(block.id);
    }
  }
  const results = resultIds(blocks);
  const twice = results.find((id, at) => results.indexOf(id) !== at);
  return twice === undefined
    ? undefined
    : `messages.${index}: each \`tool_use\` must have a single result, found several \`tool_result\` blocks with id: ${twice}`;
};

const unanswered = (
  index: number,
  blocks: readonly ContentBlockParam[],
  next: MessageParam | undefined,
): string | undefined => {
  const results = next === undefined ? [] : resultIds(blocksOf(next));
  const missing = blocks.flatMap((block) =>
    block.type === "tool_use" && !results.includes(block.id) ? [block.id] : [],
  );
  return missing.length === 0
    ? undefined
    : `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks in the next message: ${missing.join(", ")}`;
};

const unasked = (
  index: number,
  blocks: readonly ContentBlockParam[],
  asked: readonly string[],
): string | undefined => {
  const extra = resultIds(blocks).find((id) => !asked.includes(id));
  return extra === undefined
    ? undefined
    : `messages.${index}: unexpected \`tool_use_id\` in a \`tool_result\` block: ${extra}; its \`tool_use\` must be in the previous message`;
};

const outOfOrder = (index: number, blocks: readonly ContentBlockParam[]): string | undefined => {
  const other = blocks.findIndex((block) => block.type !== "tool_result");
  const last = blocks.findLastIndex((block) => block.type === "tool_result");
  return other !== -1 && last > other
    ? `messages.${index}.content.${other}: \`tool_result\` blocks must come first in the content`
    : undefined;
};
