/** The rows of committed steps, and the shortest program that stores them: better-sqlite3 and nothing else. */

import type { Database } from "better-sqlite3";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Commit, PostRow } from "../../../src/ports/store.ts";
import { CORE_VERSION, encode, encodeState, hashState } from "../../../src/store/base/codec.ts";
import { canonical } from "../../../src/text/canonical.ts";

/** Every value of one step as it is bound to a statement. */
export interface Rows {
  readonly messages: readonly Readonly<Record<string, string | number | null>>[];
  readonly event: Readonly<Record<string, string | number | null>>;
  readonly posts: readonly Readonly<Record<string, string | number>>[];
  readonly conversation: Readonly<Record<string, string | number>>;
}

/** Says the rows of each step in the order of the steps. */
export const createRowMaker = (): ((commit: Commit, changed: readonly PostRow[]) => Rows) => {
  const positions = new Map<ConversationId, number>();
  const revisions = new Map<ConversationId, { readonly posts: number; readonly revision: number }>();
  return ({ conversation, event, before, after, append, words, effects, labels }, changed) => {
    const first = positions.get(conversation) ?? 0;
    positions.set(conversation, first + append.length);
    const last = revisions.get(conversation) ?? { posts: 0, revision: 0 };
    const counters = {
      posts: Math.max(last.posts, ...changed.map(({ ordinal }) => ordinal)),
      revision: Math.max(last.revision, ...changed.map(({ revision }) => revision)),
    };
    revisions.set(conversation, counters);
    const text = words.map((one) => encode(one.words));
    return {
      messages: append.map((entry, index) => ({
        id: words[index]?.id ?? `${conversation}/${first + index}`,
        conversation,
        position: first + index,
        turn: entry.turn,
        kind: entry.kind,
        entry: encode(entry),
        words: text[index] ?? null,
      })),
      event: {
        conversation,
        seq: after.seq,
        event: encode(event),
        labels: encode(labels),
        before: before.phase.kind,
        after: after.phase.kind,
        effects: encode(effects),
        actor: null,
        hash: hashState(after),
        core: CORE_VERSION,
      },
      posts: changed.map(({ post, ordinal, revision }) => ({
        conversation,
        key: post.key,
        ordinal,
        revision,
        body: canonical(post),
      })),
      conversation: {
        id: conversation,
        state: encodeState(after),
        phase: after.phase.kind,
        at: event.at,
        entries: first + append.length,
        ...counters,
      },
    };
  };
};

/** Stores groups of steps, each group in one transaction. */
export const createRawWriter = (db: Database): ((steps: readonly Rows[]) => void) => {
  const message = db.prepare(`INSERT INTO messages (id, conversation, position, turn, kind, entry, words)
    VALUES (@id, @conversation, @position, @turn, @kind, @entry, @words)`);
  const event = db.prepare(`
    INSERT INTO events (conversation, seq, event, labels, before, after, effects, actor, hash, core)
    VALUES (@conversation, @seq, @event, @labels, @before, @after, @effects, @actor, @hash, @core)`);
  const post = db.prepare(`INSERT INTO posts (conversation, key, ordinal, revision, body)
    VALUES (@conversation, @key, @ordinal, @revision, @body)
    ON CONFLICT (conversation, key) DO UPDATE SET revision = excluded.revision, body = excluded.body`);
  const conversation = db.prepare(`UPDATE conversations SET state = @state, phase = @phase,
    updated_at = max(updated_at, @at), entries = @entries, posts = @posts, revision = @revision WHERE id = @id`);
  return db.transaction((steps: readonly Rows[]) => {
    for (const rows of steps) {
      for (const one of rows.messages) message.run(one);
      event.run(rows.event);
      for (const one of rows.posts) post.run(one);
      conversation.run(rows.conversation);
    }
  }).immediate;
};
