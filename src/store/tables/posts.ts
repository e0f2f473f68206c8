/** A post gets a new revision only if its content changed. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId, MessageId } from "../../machine/id.ts";
import type { Tables } from "../../ports/tables.ts";
import type { PostRow } from "../../ports/store.ts";
import { encode, json, type Read } from "../base/codec.ts";
import { createColumnReader } from "../base/column-reader.ts";
import { postSchema } from "../schema/post.ts";
import { createTable } from "../base/table.ts";
import type { ConversationCounters } from "./conversations.ts";
import { createMarkStale } from "./deliveries.ts";
import type { PlacedPost, StepRows } from "./step-rows.ts";

const ledgered = z.object({ ordinal: z.number(), revision: z.number(), post: json(postSchema) });

interface Present {
  readonly ordinal: number;
  readonly revision: number;
  readonly post: string;
}

interface Merged {
  readonly changed: readonly PlacedPost[];
  readonly counters: ConversationCounters;
}

const SHOWING = "WHERE conversation = ? AND instr(body, ?) > 0";

const PAGE = 50;

export const postRows: Tables = {
  tables: { posts: { conversation: ["conversation", "key", "ordinal", "revision", "body"] } },
  erase: {
    person: { kind: "kept", why: "a post names words by id, and is shown anew without them" },
    conversation: {
      kind: "pieces",
      sql: [
        `DELETE FROM posts WHERE conversation = @id AND key IN
          (SELECT key FROM posts WHERE conversation = @id LIMIT @limit)`,
      ],
    },
  },
};

export const createPosts = (db: Database, read: Read) => {
  const select = db.prepare<[ConversationId, string], Present>(
    "SELECT ordinal, revision, body AS post FROM posts WHERE conversation = ? AND key = ?",
  );
  const put = db.prepare(`
    INSERT INTO posts (conversation, key, ordinal, revision, body)
    VALUES (@conversation, @key, @ordinal, @revision, @body)
    ON CONFLICT (conversation, key) DO UPDATE SET revision = excluded.revision, body = excluded.body`);
  const selectShowing = db.prepare<[ConversationId, string], Present & { readonly key: string }>(
    `SELECT key, ordinal, revision, body AS post FROM posts ${SHOWING} ORDER BY ordinal`,
  );
  const table = createTable(db, read)("posts", ["conversation", "key"], ledgered, { post: "body" });
  const selectBefore = db.prepare<[ConversationId, number], Present>(
    `SELECT ordinal, revision, body AS post FROM posts WHERE conversation = ? AND ordinal < ? ORDER BY ordinal DESC LIMIT ${PAGE}`,
  );

  const showing = (conversation: ConversationId, messages: readonly MessageId[]) => {
    const found = messages.flatMap((id) => selectShowing.all(conversation, JSON.stringify(id)));
    return [...new Map(found.map((row) => [row.key, row])).values()];
  };
  const rowsOf = (conversation: ConversationId, found: readonly Present[]): readonly PostRow[] =>
    read.all(ledgered, found, { table: "posts", conversation });

  return {
    merge(conversation: ConversationId, posts: StepRows["posts"], before: ConversationCounters): Merged {
      let counters = before;
      const changed: PlacedPost[] = [];
      for (const { key, body } of posts) {
        const present = select.get(conversation, key);
        if (present?.post === body) continue;
        const ordinal = present?.ordinal ?? counters.posts + 1;
        const revision = counters.revision + 1;
        counters = { ...counters, revision, posts: Math.max(counters.posts, ordinal) };
        put.run({ conversation, key, ordinal, revision, body });
        changed.push({ key, ordinal, revision });
      }
      return { changed, counters };
    },

    /** The plus makes SQLite use the index of revisions; it would otherwise scan all posts in order. */
    since: table.all("WHERE conversation = ? AND revision > ? ORDER BY +ordinal"),

    *latest(conversation: ConversationId, before = Number.MAX_SAFE_INTEGER): Generator<PostRow, undefined> {
      for (let from: number | undefined = before; from !== undefined; ) {
        const found: readonly Present[] = selectBefore.all(conversation, from);
        yield* rowsOf(conversation, found);
        from = found.length < PAGE ? undefined : found.at(-1)?.ordinal;
      }
    },

    one: table.one(),

    showing: (conversation: ConversationId, messages: readonly MessageId[]): readonly PostRow[] =>
      rowsOf(conversation, showing(conversation, messages)),
  };
};

/** Increases the revision of posts whose display depends on changed data outside the post. Runs in a transaction. */
export const createBumpRevision = (db: Database) => {
  const renew = db.prepare(`
    UPDATE posts SET revision = (SELECT revision + 1 FROM conversations WHERE id = @conversation)
    WHERE conversation = @conversation AND key = @key`);
  const count = db.prepare("UPDATE conversations SET revision = revision + 1 WHERE id = ?");
  const fallBehind = createMarkStale(db);
  const showing = createColumnReader(db).all<[ConversationId, string], string>(
    `SELECT key FROM posts ${SHOWING}`,
  );

  const posts = (conversation: ConversationId, keys: Iterable<string>): void => {
    for (const key of keys) {
      if (renew.run({ conversation, key }).changes === 0) continue;
      count.run(conversation);
      fallBehind(conversation);
    }
  };

  return {
    posts,
    /** Renews the posts that show one of the messages. */
    with: (conversation: ConversationId, messages: readonly MessageId[]): void =>
      posts(conversation, new Set(messages.flatMap((id) => showing(conversation, encode(id))))),
  };
};
