/**
 * Makes the ids of calls unique within a request. A model's id is unique within one response. Some gateways restart the numbers
 * in each response, and providers refuse a history with a repeated id.
 */

import type { PromptBlock, PromptMessage } from "../thread/prompt.ts";

export interface CallIds {
  /** Id of the model's next call. */
  readonly ofUse: (id: string) => string;
  /** Id of the call that a result belongs to. */
  readonly ofResult: (id: string) => string;
}

/** For one request; call its members in the order of the messages. */
export const createCallIds = (): CallIds => {
  const used = new Set<string>();
  /** New ids of calls whose id was used before. */
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
 * Returns the same object for a message in each call, either the message or one replacement. Longer histories start with the
 * same messages, so cached results stay valid.
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
