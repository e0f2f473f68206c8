/** Some gateways restart the numbers of calls in each response, and providers refuse a history with a repeated id. */

import type { PromptBlock, PromptMessage } from "../thread/prompt.ts";

export interface CallIds {
  readonly ofUse: (id: string) => string;
  readonly ofResult: (id: string) => string;
}

/** For one request; call its members in the order of the messages. */
export const createCallIds = (): CallIds => {
  const used = new Set<string>();
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

/** Returns the same object for a message in each call, so that cached results of longer histories stay valid. */
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
