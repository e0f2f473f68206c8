/** The transcript, its words, and the part of it that the view needs. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageId } from "../../src/machine/id.ts";
import type { StoredContent } from "../../src/thread/prompt.ts";
import type { Entry, EntryKind } from "../../src/machine/transcript.ts";
import { countStatements } from "../app/counted.ts";
import { listening, openWithConnection } from "./kit.ts";
import { begin, commitOf, operator, take } from "./plain.ts";

const said = (message: MessageId): EntryKind => ({ kind: "said", message, speaker: operator, images: 0 });
const answer = (message: MessageId): EntryKind => ({
  kind: "answer",
  message,
  text: 1,
  calls: [],
  stop: "end",
});
const ran = (message: MessageId): EntryKind => ({
  kind: "result",
  call: { id: "t", name: "bash", intent: "tool" },
  outcome: { kind: "ran", message, isError: false },
  origin: "checkout",
});
const note: EntryKind = { kind: "note", note: "upgraded" };

const inTurn = (turn: number, ...kinds: readonly EntryKind[]): readonly Entry[] =>
  kinds.map((kind) => ({ turn, seq: 1, at: 1, ...kind }));

const comment = (id: MessageId, text: string): { id: MessageId; words: StoredContent } => ({
  id,
  words: { kind: "comment", text },
});

const open = () => openWithConnection(":memory:");

/** They, after one step in `turn` appended `entries`. */
const turnOf = (turn: number, entries: readonly Entry[]): readonly Entry[] | undefined => {
  const { store } = open();
  const before = begin(store);
  const after = { ...before, seq: 1, turn: { ...before.turn, no: turn } };
  take(store, commitOf(before, { after, append: entries }));
  return store.load("c-1")?.turn;
};

describe("the entries of the latest turn", () => {
  const old = inTurn(1, said("m-1"), answer("m-2"), ran("m-3"));

  it("holds the latest turn whole", () => {
    const open = inTurn(2, said("m-4"), answer("m-5"), answer("m-6"), ran("m-7"), note);
    expect(turnOf(2, [...old, ...open])).toEqual(open);
  });

  it("holds all of a turn that has no response", () => {
    const open = inTurn(2, said("m-4"), note);
    expect(turnOf(2, [...old, ...open])).toEqual(open);
  });

  it("is read where it is looked at, and not to tell a title", () => {
    const counting = countStatements();
    const { store } = open();
    const before = begin(store);
    take(
      store,
      commitOf(before, { after: { ...before, seq: 1, turn: { ...before.turn, no: 1 } }, append: old }),
    );
    counting.take();
    const stored = store.load("c-1");
    expect(stored?.conversation.title).toBe("A thread");
    expect(counting.take()).toMatchObject({ statements: 1, rows: 1 });
    expect(stored?.turn).toEqual(old);
    expect(stored?.turn).toEqual(old);
    expect(counting.take().statements).toBe(1);
  });

  it("is read on as it grows, and not from its beginning", () => {
    const counting = countStatements();
    const { store } = open();
    const before = begin(store);
    const first = { ...before, seq: 1, turn: { ...before.turn, no: 1 } };
    take(store, commitOf(before, { after: first, append: old }));
    expect(store.load("c-1")?.turn).toEqual(old);
    const more = inTurn(1, answer("m-8"), ran("m-9"));
    const second = take(store, commitOf(first, { append: more }));
    counting.take();
    expect(store.load("c-1")?.turn).toEqual([...old, ...more]);
    expect(counting.take().rows).toBe(1 + more.length);
    const next = inTurn(2, said("m-10"));
    const after = { ...second, seq: 3, turn: { ...second.turn, no: 2 } };
    take(store, commitOf(second, { after, append: [...inTurn(1, note), ...next] }));
    expect(store.load("c-1")?.turn).toEqual(next);
  });

  it("is empty for a turn that has appended nothing", () => {
    expect(turnOf(2, old)).toEqual([]);
    expect(turnOf(1, [])).toEqual([]);
  });
});

it("any turn is told as it stands in the transcript", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }), (sizes) => {
      const { store } = open();
      const append = sizes.flatMap((size, index) =>
        inTurn(index + 1, ...Array.from({ length: size }, () => note)),
      );
      take(store, commitOf(begin(store), { append }));
      for (const turn of [0, ...sizes.keys(), sizes.length + 1])
        expect(store.told("c-1", turn).map(({ entry }) => entry)).toEqual(
          append.filter((entry) => entry.turn === turn),
        );
    }),
    { numRuns: 30 },
  );
});

describe("words", () => {
  it("wait without a position until an entry names them", () => {
    const { store } = open();
    const first = take(store, commitOf(begin(store), { words: [comment("m-1", "later")] }));
    expect(store.history("c-1", 0)).toEqual([]);
    expect(store.words(["m-1"])).toEqual(new Map([["m-1", { kind: "comment", text: "later" }]]));
    take(store, commitOf(first, { append: inTurn(1, note, said("m-1")) }));
    expect(store.history("c-1", 0).map(({ words }) => words)).toEqual([
      null,
      { kind: "comment", text: "later" },
    ]);
  });

  it("are found by id, and unknown ids are left out", () => {
    const { store } = open();
    take(store, commitOf(begin(store), { words: [comment("m-1", "a"), comment("m-2", "b")] }));
    expect([...store.words(["m-2", "m-9"])]).toEqual([["m-2", { kind: "comment", text: "b" }]]);
  });

  it("are stored once: another text under a known id is refused whole", () => {
    const { store } = open();
    const first = take(store, commitOf(begin(store), { words: [comment("m-1", "a")] }));
    const again = commitOf(first, { words: [comment("m-1", "b")] });
    expect(store.commit(again)).toMatchObject({ kind: "failed", code: "conflict" });
    expect(store.words(["m-1"]).get("m-1")).toEqual({ kind: "comment", text: "a" });
    expect(store.load("c-1")?.state.seq).toBe(1);
  });

  it("belong to one entry of one conversation", () => {
    const { store } = open();
    const first = take(
      store,
      commitOf(begin(store), { words: [comment("m-1", "a")], append: inTurn(1, said("m-1")) }),
    );
    const other = begin(store, "c-2");
    expect(store.commit(commitOf(first, { append: inTurn(1, said("m-1")) }))).toMatchObject({
      kind: "failed",
    });
    expect(store.commit(commitOf(other, { append: inTurn(1, said("m-1")) }))).toMatchObject({
      kind: "failed",
    });
    take(store, commitOf(other, { append: inTurn(1, said("m-2")), words: [comment("m-2", "b")] }));
  });

  it("that were erased are gone, and the entry stays", () => {
    const { store, db } = open();
    const append = inTurn(1, said("m-1"), answer("m-2"), note);
    take(store, commitOf(begin(store), { words: [comment("m-1", "a"), comment("m-2", "b")], append }));
    db.exec("UPDATE messages SET words = NULL WHERE id = 'm-1'");
    expect(store.history("c-1", 0)).toEqual([
      { entry: append[0], words: { kind: "gone" } },
      { entry: append[1], words: { kind: "comment", text: "b" } },
      { entry: append[2], words: null },
    ]);
    expect(store.words(["m-1"]).get("m-1")).toEqual({ kind: "gone" });
  });

  it("nested deeper than can be written are refused as a value", () => {
    const { store } = open();
    const input: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    const block = { kind: "toolUse", id: "t", name: "n", input } as const;
    const words = [{ id: "m-1", words: { kind: "answer", blocks: [block] } }] as const;
    const before = begin(store);
    expect(store.commit(commitOf(before, { words }))).toMatchObject({ kind: "failed", code: "conflict" });
    take(store, commitOf(before));
  });
});

describe("rows that cannot be read", () => {
  it("keep their place in the transcript and take nothing else with them", () => {
    const { log, errors } = listening();
    const { store, db } = openWithConnection(":memory:", log);
    const append = inTurn(1, said("m-1"), answer("m-2"), note);
    take(store, commitOf(begin(store), { words: [comment("m-2", "b")], append }));
    db.exec(`UPDATE messages SET entry = '{"kind":"later"}' WHERE id = 'm-1'`);
    db.exec("UPDATE messages SET words = 'torn' WHERE id = 'm-2'");
    expect(store.history("c-1", 0).map(({ entry, words }) => [entry.kind, words])).toEqual([
      ["notice", null],
      ["answer", { kind: "gone" }],
      ["note", null],
    ]);
    expect(errors).toHaveLength(2);
  });

  it("hide their conversation and no other", () => {
    const { log, errors } = listening();
    const { store, db } = openWithConnection(":memory:", log);
    for (const id of ["c-1", "c-2", "c-3"] as const) begin(store, id);
    db.exec("UPDATE conversations SET state = '{}' WHERE id = 'c-2'");
    expect(store.load("c-2")).toBeNull();
    expect(store.load("c-3")?.state.id).toBe("c-3");
    expect(store.list(2, null).map(({ conversation }) => conversation.id)).toEqual(["c-3", "c-1"]);
    expect(store.list(2, "c-2").map(({ conversation }) => conversation.id)).toEqual(["c-1"]);
    expect(errors.every((line) => line.includes('"id":"c-2"'))).toBe(true);
  });

  it("of stored grants open nothing (C27)", () => {
    const { store, db } = open();
    begin(store);
    db.exec(`UPDATE conversations SET state = json_set(state, '$.grants', json('["SUDO"]'))`);
    db.exec(`UPDATE conversations SET initial = json_set(initial, '$.grants', json('["SUDO"]'))`);
    expect(store.load("c-1")?.state.grants).toEqual([]);
    expect(store.initial("c-1")?.grants).toEqual([]);
  });
});
