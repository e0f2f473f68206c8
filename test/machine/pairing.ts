/** The provider's pairing rules, said independently of the code that is to keep them (L4). */

import type { PromptMessage } from "../../src/thread/prompt.ts";

/** Null when the chain is valid, else what is wrong with it. */
export const pairingProblem = (messages: readonly PromptMessage[]): string | null => {
  if (messages[0]?.role !== "user") return "the first message is not the user's";
  if (messages.at(-1)?.role !== "user") return "the last message is not the user's";
  for (const [index, message] of messages.entries()) {
    if (message.content.length === 0) return `message ${index} is empty`;
    if (index > 0 && messages[index - 1]?.role === message.role)
      return `messages ${index - 1} and ${index} share a role`;
    const uses = idsOf(messages[index - 1], "toolUse");
    const results = idsOf(message, "toolResult");
    if (message.role === "user" && JSON.stringify(uses) !== JSON.stringify(results)) {
      return `message ${index} answers ${JSON.stringify(results)} where ${JSON.stringify(uses)} was asked`;
    }
    const kinds = message.content.map((block) => block.kind === "toolResult");
    if (kinds.lastIndexOf(true) > results.length - 1)
      return `message ${index} has a result behind other content`;
  }
  return null;
};

const idsOf = (message: PromptMessage | undefined, kind: "toolUse" | "toolResult"): readonly string[] =>
  (message?.content ?? []).flatMap((block) =>
    (block.kind === "toolUse" || block.kind === "toolResult") && block.kind === kind ? [block.id] : [],
  );
