/** A data directory with very many conversations in it, made quickly and once. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase } from "../../src/store/base/connect.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { tablesOf } from "../../src/store/tables/all-tables.ts";
import { type BesideStore, besideOf } from "../store/beside.ts";
import { begin, commitOf, notice, operator, take } from "../store/plain.ts";
import { TABLES } from "../store/tables.ts";

/**
 * `count` conversations of one short turn each: the first through the store, the others copied from it in SQL under
 * random-looking ids. None is interrupted, no message is unanswered.
 */
export const fillStore = (directory: string, count: number): void => {
  mkdirSync(directory, { recursive: true });
  const connected = connectDatabase(join(directory, "parley.sqlite"));
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  talk(besideOf(db, tablesOf(db, silentLog, TABLES)).store);
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -400000");
  db.function("scattered", { deterministic: true }, (n: unknown) => scattered(Number(n)));
  const constant =
    "surface, title, repo, created_by, created_at, parent, user_initiated, prefix, base, entries, posts, revision";
  /* In the order of their ids, so that rows are appended. */
  db.exec(`BEGIN;
    CREATE TEMP TABLE n AS
      WITH RECURSIVE n (i) AS (SELECT 2 WHERE ${count} > 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      SELECT i, scattered(i) AS s FROM n ORDER BY s;
    INSERT INTO conversations (id, updated_at, phase, state, initial, ${constant})
      SELECT 'c-' || s, i, 'idle', replace(state, '"c-1"', '"c-' || s || '"'),
        replace(initial, '"c-1"', '"c-' || s || '"'), ${constant}
      FROM n, conversations WHERE id = 'c-1';
    INSERT INTO messages (id, conversation, position, turn, kind, entry, words)
      SELECT replace(id, 'm-', 'm-' || s), 'c-' || s, position, turn, kind, replace(entry, '"m-', '"m-' || s), words
      FROM n, messages WHERE conversation = 'c-1';
    INSERT INTO posts (conversation, key, ordinal, revision, body)
      SELECT 'c-' || s, key, ordinal, revision, body FROM n, posts WHERE conversation = 'c-1';
    COMMIT;
    DROP TABLE n`);
  db.close();
};

const talk = (store: BesideStore): void => {
  const state = begin(store, "c-1");
  const asked = {
    turn: 1,
    seq: 1,
    at: 1,
    kind: "said",
    message: "m-asked",
    speaker: operator,
    images: 0,
  } as const;
  const told = {
    turn: 1,
    seq: 2,
    at: 2,
    kind: "answer",
    message: "m-told",
    text: 900,
    calls: [],
    stop: "end",
  } as const;
  take(
    store,
    commitOf(state, {
      after: { ...state, seq: 2, turn: { ...state.turn, no: 1, speaker: operator } },
      append: [asked, told],
      words: [
        { id: "m-asked", words: { kind: "said", text: "Where is the retry policy?", images: [] } },
        {
          id: "m-told",
          words: { kind: "answer", blocks: [{ kind: "text", text: "It is here. ".repeat(75) }] },
        },
      ],
      posts: [notice("a", 0), notice("b", 1)],
    }),
  );
};

/** Spreads neighbours over the index, as random ids do; one to one. */
const scattered = (n: number): string => ((n * 2_654_435_761) % 4_294_967_296).toString(36).padStart(7, "0");
