import type { Database } from "better-sqlite3";
import type { ConversationId } from "../../machine/id.ts";
import { DONE, type Log } from "../../ports/host.ts";
import type { Store, StoredConversation } from "../../ports/store.ts";
import type { Tables } from "../../ports/tables.ts";
import { OPENING } from "../../thread/post.ts";
import { createRead, encode } from "../base/codec.ts";
import { createPrefixes } from "./conversations.ts";
import { createBind } from "./deliveries.ts";
import { createRelatedRows, createRemoval } from "./removal.ts";
import { createOweRefusal } from "./replies.ts";
import { createCommit, createStepTables } from "./commit.ts";
import type { PlacedPost, StepRows } from "./step-rows.ts";
import { type DirectPort, doing, writeFailed, type WriteMember, writing } from "../base/write.ts";

export interface DirectStore extends DirectPort<Omit<Store, "commit" | "close">> {
  readonly step: WriteMember<
    [rows: StepRows],
    { readonly kind: "committed"; readonly posts: readonly PlacedPost[] }
  >;
  close(): void;
}

/** `close` ends the connection and everything that was opened with it. */
export const createStore = (
  db: Database,
  log: Log,
  declared: readonly Tables[],
  close: () => void,
): DirectStore => {
  const read = createRead(log);
  const prefixes = createPrefixes(db, read);
  const tables = createStepTables(db, read, declared);
  const { conversations, messages, trace, questions, posts, claims, showAnew } = tables;
  const bind = createBind(db);

  const oweRefusal = createOweRefusal(db);
  return {
    ...createRemoval(db, declared),
    ...createRelatedRows(db, declared),
    create: writing((conversation, initial, prefix, thread) => {
      prefixes.insert(prefix);
      conversations.insert(conversation, initial);
      if (thread !== undefined) {
        bind({ ...thread, conversation: conversation.id, surface: conversation.surface });
      }
      return { kind: "created" } as const;
    }),
    load(id: ConversationId, known?: Omit<StoredConversation, "turn">) {
      const kept = known ?? conversations.get(id);
      if (kept === null) return null;
      let turn: StoredConversation["turn"] | null = null;
      return {
        ...kept,
        get turn() {
          return (turn ??= messages.turn(id, kept.state.turn.no));
        },
      };
    },
    step: writing(createCommit(tables)),
    /** The first post names the commit, which is known now. */
    setBase: writing((id, base) => {
      if (!conversations.setBase(id, base))
        return writeFailed(`the base of ${id} cannot be set: it is unknown or has another`);
      showAnew.posts(id, [OPENING]);
      return DONE;
    }),
    setTitle: writing((id, title, by) =>
      conversations.setTitle(id, title, by) ? DONE : writeFailed(`there is no conversation ${id}`),
    ),
    prefix: prefixes.get,
    history: messages.history,
    told: messages.told,
    words: messages.words,
    allWords: messages.all,
    attached: messages.attached,
    claims: claims.of,
    source: claims.source,
    offspring: conversations.offspring,
    repeats: conversations.repeats,
    agents: conversations.agents,
    posts: posts.since,
    latestPosts: posts.latest,
    post: posts.one,
    postsWith: posts.showing,
    question: questions.get,
    pendingQuestion: questions.pending,
    waiting: questions.waiting,
    claim: writing((one) =>
      claims.insert(one)
        ? ({ kind: "new" } as const)
        : ({ kind: "known", outcome: claims.outcome(one) } as const),
    ),
    refuse: doing((key, why, at) => {
      claims.close(key, { kind: "refused", why }, at);
      oweRefusal(key, why, at);
    }),
    refused: claims.refused,
    claimed: claims.message,
    openClaims: claims.open,
    versions: claims.versions,
    reword: doing((claim, words) => {
      claims.reword(claim);
      for (const one of words) messages.reword(one.id, encode(one.words));
    }),
    unsettled: conversations.unsettled,
    list: (limit, before, which) => conversations.page(limit, before, which),
    trace: trace.rows,
    initial: conversations.initial,
    close,
  };
};
