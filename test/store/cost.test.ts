/** A step costs the same at any length, and stored conversations cost nothing at start. */

import { createHash } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type { Database } from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { State } from "../../src/machine/state.ts";
import type { Entry } from "../../src/machine/transcript.ts";
import { openStore } from "./open-store.ts";
import type { BesideStore } from "./beside.ts";
import { openWithConnection, temporary } from "./kit.ts";
import { begin, commitOf, notice, take } from "./plain.ts";

/** Ids fall anywhere in the indexes, as random ones do, and are the same in every run. */
const scattered = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 26);

/** A step as a tool round makes them: a response and its result, words of 2 kB, one new post and two known ones. */
const round = (store: BesideStore, state: State): State => {
  const answer = `m-${scattered(`${state.id} asks ${state.seq}`)}` as const;
  const result = `m-${scattered(`${state.id} hears ${state.seq}`)}` as const;
  const call = { id: "t", name: "bash", intent: "tool" } as const;
  const base = { turn: 1, seq: state.seq, at: 1 };
  const append: readonly Entry[] = [
    { ...base, kind: "answer", message: answer, text: 1, calls: [call], stop: "tools" },
    {
      ...base,
      kind: "result",
      call,
      outcome: { kind: "ran", message: result, isError: false },
      origin: "checkout",
    },
  ];
  const text = "x".repeat(1_000);
  const words = [answer, result].map((id) => ({ id, words: { kind: "comment", text } }) as const);
  const posts = [0, 1, 2].map((back) => notice(scattered(`${state.seq - back}`), state.seq - back));
  const after: State = { ...state, seq: state.seq + 1, turn: { ...state.turn, no: 1 } };
  return take(store, commitOf(state, { after, append, words, posts }));
};

const goTo = (store: BesideStore, from: State, seq: number): State => {
  let state = from;
  while (state.seq < seq) state = round(store, state);
  return state;
};

describe("a step", () => {
  it("writes as many pages as step 10,000 of a conversation as it does as step 10", () => {
    const name = join(temporary(), "parley.sqlite");
    const { store, db } = openWithConnection(name);
    db.pragma("synchronous = OFF");
    const long = goTo(store, begin(store, "c-long"), 10_000);
    const short = goTo(store, begin(store, "c-short"), 10);
    const cost = (state: State) => pagesWritten(db, name, () => goTo(store, state, state.seq + MEASURED));
    const early = cost(short);
    const late = cost(long);
    console.log(`pages written by ${MEASURED} steps: ${early} after step 10, ${late} after step 10,000`);
    expect(late).toBeLessThanOrEqual(early * 1.2);
  });
});

const MEASURED = 50;
const FRAME = 4096 + 24;

/** Pages that `work` appends to the write-ahead log. */
const pagesWritten = (db: Database, name: string, work: () => void): number => {
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.pragma("wal_autocheckpoint = 0");
  work();
  const pages = Math.floor(statSync(`${name}-wal`).size / FRAME);
  db.pragma("wal_autocheckpoint = 1000");
  return pages;
};

const ms = (from: number, to: number): string => (to - from).toFixed(1);

describe("100,000 stored conversations", () => {
  it("are opened, searched for interrupted ones and listed", async () => {
    const directory = join(temporary(), "data");
    const name = join(directory, "parley.sqlite");
    mkdirSync(directory);
    const { store: first, db } = openWithConnection(name);
    round(first, begin(first));
    db.close();
    fill(name, 100_000);

    const started = performance.now();
    const opened = openStore(directory);
    if (opened.kind === "failed") throw new Error(opened.message);
    const { store } = opened;
    const open = performance.now();
    const unsettled = store.unsettled();
    const found = performance.now();
    const page = store.list(50, null);
    const listed = performance.now();
    await store.close();

    console.log(
      `100,000 conversations: open ${ms(started, open)} ms, unsettled() ${ms(open, found)} ms, ` +
        `list(50) ${ms(found, listed)} ms, together ${ms(started, listed)} ms`,
    );
    expect(unsettled).toHaveLength(10);
    expect(page).toHaveLength(50);
  });
});

/** Copies conversation c-1 with its transcript `count` times; every 10,000th was in the middle of something. */
const fill = (name: string, count: number): void => {
  const db = new Sqlite(name);
  db.pragma("synchronous = OFF");
  const columns =
    "surface, title, repo, created_by, created_at, parent, user_initiated, prefix, base, entries";
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= ${count})`;
  db.exec(`BEGIN;
    INSERT INTO conversations (id, updated_at, phase, state, initial, ${columns}) ${numbers}
      SELECT 'c-' || i, i, iif(i % 10000 = 0, 'running', 'idle'), state, initial, ${columns}
      FROM n, conversations WHERE id = 'c-1';
    INSERT INTO messages (id, conversation, position, turn, kind, entry, words) ${numbers}
      SELECT id || '-' || i, 'c-' || i, position, turn, kind, entry, words FROM n, messages
      WHERE conversation = 'c-1';
    COMMIT`);
  db.close();
};
