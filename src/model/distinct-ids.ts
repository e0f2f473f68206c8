/**
 * Ids of calls, each once in a request. A model's id is unique within one response; some gateways count anew in each, and providers
 * refuse a history that has an id twice.
 */

import type { PromptBlock, PromptMessage } from "../thread/prompt.ts";

export interface CallIds {
  /** Of the next call that the model made. */
  readonly ofUse: (id: string) => string;
  /** Of the call that a result answers. */
  readonly ofResult: (id: string) => string;
}

/** For one request, in the order of its messages. */
export const createCallIds = (): CallIds => {
  const used = new Set<string>();
  /** Of calls whose id was used before. */
  const renamed = new Map<string, string>();
  return {
    ofUse: (id) => {
      let free = id;
      for (let count = 2; used.has(free); count += 1) free = `${id}-${count}`;
      used.add(free);
      if (free === id) renamed.delete(id);
      else renamed.set(id, free);
      return free;
    },
    ofResult: (id) => renamed.get(id) ?? id,
  };
};

/**
 * A message keeps its identity, or has the same stand-in each time: what is made of it once holds for longer histories, because
 * those share all messages before it.
 */
export const withDistinctIds = (messages: readonly PromptMessage[]): readonly PromptMessage[] => {
  const ids = createCallIds();
  return messages.map((message) => {
    const content = message.content.map((block) => withId(block, ids));
    if (content.every((block, index) => block === message.content[index])) return message;
    const standIn = STAND_INS.get(message) ?? { ...message, content };
    STAND_INS.set(message, standIn);
    return standIn;
  });
};

const STAND_INS = new WeakMap<PromptMessage, PromptMessage>();

const withId = (block: PromptBlock, { ofUse, ofResult }: CallIds): PromptBlock => {
  if (block.kind !== "toolUse" && block.kind !== "toolResult") return block;
  const id = block.kind === "toolUse" ? ofUse(block.id) : ofResult(block.id);
  return id === block.id ? block : { ...block, id };
};
