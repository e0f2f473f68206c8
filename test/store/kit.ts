/** What the store's tests share: plain values, opened stores, temporary directories. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { onTestFinished } from "vitest";
import type { ConversationId } from "../../src/core/id.ts";
import { initial, type State } from "../../src/core/state.ts";
import type { Speaker } from "../../src/core/words.ts";
import type { Claim, Commit, Conversation, Log, Prefix, Store } from "../../src/runtime/ports.ts";
import { connect } from "../../src/store/connect.ts";
import { openStore } from "../../src/store/sqlite.ts";
import { createStore } from "../../src/store/store.ts";

export const operator: Speaker = { id: "console:operator", mayDrive: true, mayApprove: true };
export const prefix: Prefix = { hash: "h1", system: "system", tools: [] };

export const stateOf = (id: ConversationId): State =>
  initial({ id, confinement: "enforced", mode: "general", safeMode: true, model: "demo", window: 200_000 });

export const conversationOf = (id: ConversationId, changes: Partial<Conversation> = {}): Conversation => ({
  id,
  surface: "console",
  title: "A thread",
  repo: { kind: "path", location: "/repo" },
  createdBy: operator.id,
  createdAt: 1,
  updatedAt: 1,
  prefix: prefix.hash,
  base: null,
  ...changes,
});

/** A step that changes nothing but the number of steps, and what `changes` says. */
export const commitOf = (before: State, changes: Partial<Commit> = {}): Commit => ({
  conversation: before.id,
  event: { kind: "due", at: before.seq + 10, for: "e1" },
  labels: [],
  actor: null,
  before,
  after: { ...before, seq: before.seq + 1 },
  effects: [],
  append: [],
  words: [],
  posts: [],
  questions: [],
  claim: null,
  ...changes,
});

export const claimOf = (id: string, changes: Partial<Claim> = {}): Claim => ({
  surface: "console",
  id,
  conversation: "c-1",
  at: 1,
  speaker: operator,
  text: "hello",
  images: [],
  ...changes,
});

/** A store with one conversation in it, and its state. */
export const begin = (store: Store, id: ConversationId = "c-1"): State => {
  const state = stateOf(id);
  const created = store.create(conversationOf(id), state, prefix);
  if (created.kind === "failed") throw new Error(created.message);
  return state;
};

/** Commits, insists, and answers the state after. */
export const take = (store: Store, commit: Commit): State => {
  const committed = store.commit(commit);
  if (committed.kind === "failed") throw new Error(committed.message);
  return commit.after;
};

export const temporary = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "parley-store-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

export const openAt = (directory: string, log?: Log): Store => {
  const opened = openStore(directory, log);
  if (opened.kind === "failed") throw new Error(opened.message);
  onTestFinished(() => opened.store.close());
  return opened.store;
};

/** A store whose connection the test can reach, to make the disk refuse or to look at rows. */
export const openWithConnection = (name: string, log: Log = silent): { store: Store; db: Database } => {
  const connected = connect(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  onTestFinished(() => void db.close());
  return { db, store: createStore(db, log, () => void db.close()) };
};

/** Every row of every table, to tell whether anything at all has changed. */
export const dump = (db: Database): unknown =>
  TABLES.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all());

const TABLES = ["prefixes", "conversations", "messages", "events", "questions", "posts", "claims"];

export const listening = (): { log: Log; errors: string[] } => {
  const errors: string[] = [];
  const error: Log["error"] = (message, fields) => void errors.push(`${message} ${JSON.stringify(fields)}`);
  return { log: { ...silent, error }, errors };
};

const silent: Log = { info() {}, warn() {}, error() {} };
