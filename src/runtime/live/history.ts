import type { ConversationId, MessageId } from "../../machine/id.ts";
import { type Conversation, reposOf, webRoot } from "../../ports/conversation.ts";
import type { Store } from "../../ports/store.ts";
import { createLinkable, type Linkable, linksOfOthers } from "../../thread/linkable.ts";
import {
  type AnswerBlock,
  endWithUserTurn as askedWith,
  beginPrompt,
  type PromptMessage,
  type FindReference,
  extendPrompt,
  type PromptBuilder,
  type TranscriptMessage,
} from "../../thread/prompt.ts";

export type History = ReturnType<typeof createHistory>;

export const createHistory = (store: Store, id: ConversationId) => {
  const told: TranscriptMessage[] = [];
  const links = new Set<string>();
  let linked = 0;
  let telling: { readonly preface: string; readonly upTo: number; readonly so: PromptBuilder } | null = null;

  const read = (): readonly TranscriptMessage[] => {
    for (const one of store.history(id, told.length)) told.push(one);
    return told;
  };

  const asked = (preface: string, refer: FindReference): readonly PromptMessage[] => {
    read();
    if (telling?.preface !== preface) telling = { preface, upTo: 0, so: beginPrompt(preface) };
    telling = { preface, upTo: told.length, so: extendPrompt(telling.so, told.slice(telling.upTo), refer) };
    return askedWith(telling.so);
  };

  /** Addresses in the transcript that the model did not write. */
  const ofOthers = (): ReadonlySet<string> => {
    for (const link of told.slice(linked).flatMap(linksOfOthers)) links.add(link);
    linked = told.length;
    return links;
  };

  return {
    read,
    /** The cost depends only on entries added since the last call. */
    asked,
    linkable: ({ repo }: Conversation): Linkable =>
      createLinkable(ofOthers, ...reposOf(repo).flatMap(({ location }) => webRoot(location) ?? [])),
    /** Null if the call's words were erased. */
    input: (message: MessageId, call: string): { readonly value: unknown } | null => {
      const answer = read().findLast(({ entry }) => entry.kind === "answer" && entry.message === message);
      const blocks = answer?.words?.kind === "answer" ? answer.words.blocks : [];
      const block = blocks.find((candidate) => isUse(candidate, call));
      return block?.kind === "toolUse" ? { value: block.input } : null;
    },
  };
};

const isUse = (block: AnswerBlock, call: string): boolean => block.kind === "toolUse" && block.id === call;
