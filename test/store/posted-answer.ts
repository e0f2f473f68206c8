/** Answers as conversations post them, without a model: each with a question, and citations that were checked. */

import type { MessageId, Millis } from "../../src/machine/id.ts";
import type { State } from "../../src/machine/state.ts";
import type { Base, RepositoryBinding } from "../../src/ports/conversation.ts";
import type { StorePorts } from "../../src/store/write/grouped.ts";
import type { Citation } from "../../src/text/citation.ts";
import { commitOf, conversationOf, operator, prefix, stateOf, takeIn } from "./plain.ts";
import { turnBody } from "../turn-body.ts";

export interface ToPost {
  readonly no: number;
  readonly repo: RepositoryBinding;
  readonly commit: string;
  /** Of several repositories the others. */
  readonly beside?: Pick<Base, "name" | "beside">;
  readonly at: Millis;
  readonly citations: readonly Citation[];
  readonly asked?: string;
}

export const postAnswer = async (
  { store }: Pick<StorePorts, "store">,
  { no, repo, commit, beside = {}, at, citations, asked: words = `Question ${no}?` }: ToPost,
): Promise<void> => {
  const id = `c-${no}` as const;
  const [question, message]: readonly MessageId[] = [`m-question-${no}`, `m-answer-${no}`];
  if (question === undefined || message === undefined) return;
  const base = { commit, ref: "main", cwd: "/work", ...beside };
  const state: State = stateOf(id);
  const created = await store.create(conversationOf(id, { repo, base }), state, prefix);
  if (created.kind === "failed") throw new Error(created.message);
  const asked = await takeIn(
    store,
    commitOf(state, {
      append: [{ turn: 1, seq: 1, at, kind: "said", message: question, speaker: operator, images: 0 }],
      words: [{ id: question, words: { kind: "said", text: words, images: [] } }],
    }),
  );
  const text = ["Answered.", ...citations.map(({ path, from, to }) => `See \`${path}:${from}-${to}\`.`)].join(
    " ",
  );
  await takeIn(
    store,
    commitOf(asked, {
      append: [{ turn: 1, seq: 2, at, kind: "answer", message, text: text.length, calls: [], stop: "end" }],
      words: [{ id: message, words: { kind: "answer", blocks: [{ kind: "text", text }], citations } }],
      posts: [{ key: "turn/1/1", at, final: true, actions: [], body: turnBody({ said: [message] }) }],
    }),
  );
};
