/** A question is settled once, whoever clicks and from wherever (idea 4). */

import { describe, expect, it } from "vitest";
import type { State } from "../../../src/machine/state.ts";
import type { QuestionChange } from "../../../src/ports/questions.ts";
import type { BesideStore } from "../beside.ts";
import { openWithConnection } from "../kit.ts";
import { asked, begin, commitOf, decided, notice, operator, take } from "../plain.ts";

/** A store whose one conversation has asked question 1 under the wire id w1. */
const askedOne = (): { store: BesideStore; state: State } => {
  const { store } = openWithConnection(":memory:");
  return { store, state: take(store, commitOf(begin(store), { questions: [asked(1, "w1")] })) };
};

const row = {
  wire: "w1",
  conversation: "c-1",
  question: "q1",
  type: "upgrade",
  fingerprint: "f",
  askedAt: 1,
};

it("are pending until they are decided", () => {
  const { store, state } = askedOne();
  const pending = { ...row, status: "pending", by: null, at: null };
  expect(store.question("w1")).toEqual(pending);
  expect(store.pendingQuestion("c-1")).toEqual(pending);
  take(store, commitOf(state, { questions: [decided(1, "approve")] }));
  expect(store.question("w1")).toEqual({ ...row, status: "approve", by: operator.id, at: 9 });
  expect(store.pendingQuestion("c-1")).toBeNull();
  expect(store.question("w9")).toBeNull();
});

describe("questions", () => {
  const second: readonly QuestionChange[] = [
    decided(1, "deny"),
    decided(1, "approve"),
    { kind: "withdrawn", question: "q1", by: operator.id, at: 9 },
  ];

  it.each(second)("are settled once: a later $kind has no effect", (late) => {
    const { store, state } = askedOne();
    const first = take(store, commitOf(state, { questions: [decided(1, "approve")] }));
    const refused = store.commit(commitOf(first, { questions: [late], posts: [notice("a", 1)] }));
    expect(refused).toMatchObject({ kind: "failed", code: "conflict" });
    expect(store.question("w1")).toMatchObject({ status: "approve" });
    expect(store.posts("c-1", 0)).toEqual([]);
    expect(store.load("c-1")?.state.seq).toBe(2);
  });

  it("that were withdrawn cannot be approved", () => {
    const { store, state } = askedOne();
    const first = take(
      store,
      commitOf(state, { questions: [{ kind: "withdrawn", question: "q1", by: operator.id, at: 9 }] }),
    );
    expect(store.commit(commitOf(first, { questions: [decided(1, "approve")] }))).toMatchObject({
      kind: "failed",
    });
    expect(store.question("w1")).toMatchObject({ status: "withdrawn", by: operator.id });
  });

  it("follow each other in one step, one pending at a time", () => {
    const { store, state } = askedOne();
    expect(store.commit(commitOf(state, { questions: [asked(2, "w2")] }))).toMatchObject({ kind: "failed" });
    take(store, commitOf(state, { questions: [decided(1, "deny"), asked(2, "w2")] }));
    expect(store.pendingQuestion("c-1")).toMatchObject({ wire: "w2", status: "pending" });
  });

  it("of another conversation are not this one's to settle", () => {
    const { store } = askedOne();
    const other = begin(store, "c-2");
    expect(store.commit(commitOf(other, { questions: [decided(1, "approve")] }))).toMatchObject({
      kind: "failed",
    });
    expect(store.question("w1")).toMatchObject({ status: "pending" });
  });

  it("have wire ids of their own", () => {
    const { store } = askedOne();
    const other = begin(store, "c-2");
    expect(store.commit(commitOf(other, { questions: [asked(1, "w1")] }))).toMatchObject({ kind: "failed" });
    take(store, commitOf(other, { questions: [asked(1, "w2")] }));
  });
});
