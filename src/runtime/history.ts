/** The transcript of a live conversation with its words, read from the store once and then only what is new. */

import type { ConversationId } from "../core/id.ts";
import type { AnswerBlock, Told } from "../core/prompt.ts";
import type { MessageId } from "../core/id.ts";
import type { Store } from "./ports.ts";

export interface History {
  /** All of it, in order. */
  read(): readonly Told[];
  /** The input of one tool use of a response; null when its words are gone. */
  input(message: MessageId, call: string): { readonly value: unknown } | null;
}

export const createHistory = (store: Store, id: ConversationId): History => {
  const told: Told[] = [];

  const read = (): readonly Told[] => {
    told.push(...store.history(id, told.length));
    return told;
  };

  return {
    read,
    input: (message, call) => {
      const answer = read().findLast(({ entry }) => entry.kind === "answer" && entry.message === message);
      const blocks = answer?.words?.kind === "answer" ? answer.words.blocks : [];
      const block = blocks.find((candidate) => isUse(candidate, call));
      return block?.kind === "toolUse" ? { value: block.input } : null;
    },
  };
};

const isUse = (block: AnswerBlock, call: string): boolean => block.kind === "toolUse" && block.id === call;
