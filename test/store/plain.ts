/** Plain values for the store's tests, usable outside the test runner too. */

import type { ConversationId } from "../../src/machine/id.ts";
import { initial, type State } from "../../src/machine/state.ts";
import type { Speaker } from "../../src/machine/vocabulary.ts";
import type { Claim } from "../../src/ports/claims.ts";
import type { Conversation, Prefix } from "../../src/ports/conversation.ts";
import type { QuestionChange } from "../../src/ports/questions.ts";
import type { Commit, Store } from "../../src/ports/store.ts";
import type { BesideStore } from "./beside.ts";
import type { Post } from "../../src/thread/post.ts";

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
  origin: null,
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
export const begin = (store: Pick<BesideStore, "create">, id: ConversationId = "c-1"): State => {
  const state = stateOf(id);
  const created = store.create(conversationOf(id), state, prefix);
  if (created.kind === "failed") throw new Error(created.message);
  return state;
};

/** Commits, insists, and answers the state after. */
export const take = (store: BesideStore, commit: Commit): State => {
  const committed = store.commit(commit);
  if (committed.kind === "failed") throw new Error(committed.message);
  return commit.after;
};

/** The same through the port. */
export const beginIn = async (store: Pick<Store, "create">, id: ConversationId = "c-1"): Promise<State> => {
  const state = stateOf(id);
  const created = await store.create(conversationOf(id), state, prefix);
  if (created.kind === "failed") throw new Error(created.message);
  return state;
};

export const takeIn = async (store: Pick<Store, "commit">, commit: Commit): Promise<State> => {
  const committed = await store.commit(commit);
  if (committed.kind === "failed") throw new Error(committed.message);
  return commit.after;
};

/** A post that differs with `skipped`. */
export const notice = (key: string, skipped: number): Post => ({
  key,
  at: 1,
  final: true,
  actions: [],
  body: { kind: "notice", notice: { kind: "stopped", by: operator.id, skipped } },
});

export const asked = (seq: number, wire: string): QuestionChange => ({
  kind: "asked",
  wire,
  question: `q${seq}`,
  type: "upgrade",
  at: seq,
  shown: "{}",
  fingerprint: "f",
});

export const decided = (seq: number, choice: "approve" | "deny"): QuestionChange => ({
  kind: "decided",
  question: `q${seq}`,
  choice,
  by: operator.id,
  at: 9,
});
