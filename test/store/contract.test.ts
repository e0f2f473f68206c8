/** What every store does, in memory and on disk: properties over generated values, and the rules of the port. */

import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageId } from "../../src/machine/id.ts";
import type { Entry } from "../../src/machine/transcript.ts";
import { CORE_VERSION, hashState } from "../../src/store/base/codec.ts";
import type { BesideStore } from "./beside.ts";
import { canonical } from "../../src/text/canonical.ts";
import type { Post } from "../../src/thread/post.ts";
import * as arbitrary from "./arbitrary.ts";
import { openWithConnection, temporary } from "./kit.ts";
import { begin, claimOf, commitOf, conversationOf, prefix, stateOf, take } from "./plain.ts";

const stores: readonly (readonly [string, () => BesideStore, number])[] = [
  ["in memory", () => openWithConnection().store, 200],
  ["on disk", () => openWithConnection(join(temporary(), "parley.sqlite")).store, 20],
];

describe.each(stores)("a store %s", (_, open, numRuns) => {
  it("gives back any step that was committed", () => {
    const store = open();
    let count = 0;
    const step = fc.record({
      after: arbitrary.state,
      event: arbitrary.event,
      effects: fc.array(arbitrary.effect, { maxLength: 2 }),
      labels: fc.array(arbitrary.text, { maxLength: 2 }),
      words: arbitrary.words,
    });
    fc.assert(
      fc.property(step, ({ after, event, effects, labels, words }) => {
        const id = `c-${count++}` as const;
        const before = begin(store, id);
        const message: MessageId = `m-${id}`;
        const state = { ...after, id, parent: null, seq: 1 };
        const brought = [{ id: message, words }];
        take(store, commitOf(before, { after: state, event, effects, labels, words: brought }));
        const [row, ...more] = store.trace(id);
        expect(more).toEqual([]);
        expect(canonical(row)).toBe(
          canonical({
            seq: 1,
            at: event.at,
            event,
            labels,
            before: "idle",
            after: state.phase.kind,
            effects,
            actor: null,
            hash: hashState(state),
            core: CORE_VERSION,
          }),
        );
        expect(canonical(store.load(id)?.state)).toBe(canonical({ ...state, grants: [] }));
        expect(canonical(store.words([message]).get(message))).toBe(canonical(words));
        expect(store.initial(id)).toEqual(before);
      }),
      { numRuns },
    );
  });

  it("gives back any transcript in order, from any position on", () => {
    const store = open();
    let count = 0;
    fc.assert(
      fc.property(fc.array(arbitrary.entry, { maxLength: 6 }), fc.nat({ max: 7 }), (entries, after) => {
        const id = `c-${count++}` as const;
        const before = begin(store, id);
        const append = entries.map((entry, index) => rename(entry, `m-${id}-${index}`));
        const half = Math.floor(append.length / 2);
        const first = take(store, commitOf(before, { append: append.slice(0, half) }));
        take(store, commitOf(first, { append: append.slice(half) }));
        expect(canonical(store.history(id, after).map(({ entry }) => entry))).toBe(
          canonical(append.slice(after)),
        );
      }),
      { numRuns },
    );
  });

  it("gives back any claim, and knows it afterwards", () => {
    const store = open();
    begin(store);
    fc.assert(
      fc.property(arbitrary.claim, (value) => {
        const claim = { ...value, conversation: "c-1" } as const;
        if (store.claim(claim).kind === "known") return;
        expect(store.openClaims()).toEqual([claim]);
        expect(store.claim({ ...claim, text: "said again" })).toEqual({ kind: "known", outcome: null });
        expect(store.refuse(claim, "agent_busy", 2)).toEqual({ kind: "done" });
        expect(store.openClaims()).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("ledgers any posts: a new revision where the content changed, and nowhere else", () => {
    const store = open();
    let count = 0;
    const projection = fc.uniqueArray(arbitrary.post, { selector: (post) => post.key, maxLength: 4 });
    fc.assert(
      fc.property(projection, projection, (earlier, later) => {
        const id = `c-${count++}` as const;
        const before = begin(store, id);
        const first = take(store, commitOf(before, { posts: earlier }));
        const committed = store.commit(commitOf(first, { posts: [...earlier.slice(0, 1), ...later] }));
        expect(committed.kind).toBe("committed");
        const rows = store.posts(id, 0);
        const wanted = new Map<string, Post>();
        for (const post of [...earlier, ...later]) wanted.set(post.key, post);
        expect(canonical(rows.map(({ post }) => post))).toBe(canonical([...wanted.values()]));
        expect(rows.map(({ ordinal }) => ordinal)).toEqual(rows.map((_row, index) => index + 1));
        expect(new Set(rows.map(({ revision }) => revision)).size).toBe(rows.length);
      }),
      { numRuns },
    );
  });

  it("remembers what is fixed for a conversation's life", () => {
    const store = open();
    const conversation = conversationOf("c-1", {
      title: "half a \ud83d pair",
      repo: { kind: "url", location: "x" },
    });
    const tools = [{ name: "bash", description: "d", inputSchema: { type: "object", b: 1, a: 2 } }];
    const full = { ...prefix, system: "line\nline", tools };
    expect(store.create(conversation, stateOf("c-1"), full)).toEqual({ kind: "created" });
    expect(store.load("c-1")).toEqual({ conversation, state: stateOf("c-1"), turn: [] });
    expect(JSON.stringify(store.prefix("h1"))).toBe(JSON.stringify(full));
    expect(store.prefix("h2")).toBeNull();
    expect(store.load("c-2")).toBeNull();
    expect(store.initial("c-2")).toBeNull();
    expect([...store.trace("c-2")]).toEqual([]);
  });

  it("has a prefix once, whoever brings it", () => {
    const store = open();
    begin(store, "c-1");
    begin(store, "c-2");
    expect(store.prefix("h1")).toEqual(prefix);
  });

  it("refuses a second conversation of one id and leaves the first alone", () => {
    const store = open();
    begin(store);
    const again = conversationOf("c-1", { title: "Another" });
    expect(store.create(again, stateOf("c-1"), prefix)).toMatchObject({ kind: "failed", code: "conflict" });
    expect(store.load("c-1")?.conversation.title).toBe("A thread");
  });

  it("takes a title at any time and a base once", () => {
    const store = open();
    begin(store);
    const base = { commit: "abc", ref: "main", cwd: "/w" };
    expect(store.setBase("c-1", base)).toEqual({ kind: "done" });
    expect(store.setBase("c-1", base)).toEqual({ kind: "done" });
    expect(store.setBase("c-1", { ...base, commit: "def" })).toMatchObject({ kind: "failed" });
    expect(store.setBase("c-9", base)).toMatchObject({ kind: "failed" });
    expect(store.setTitle("c-1", "New", null)).toEqual({ kind: "done" });
    expect(store.setTitle("c-9", "New", null)).toMatchObject({ kind: "failed" });
    expect(store.load("c-1")?.conversation).toEqual(conversationOf("c-1", { title: "New", base }));
  });

  it("closes a claim once: with the step that answers it, or with a refusal", () => {
    const store = open();
    const before = begin(store);
    expect(store.claim(claimOf("1"))).toEqual({ kind: "new" });
    expect(store.claim(claimOf("2"))).toEqual({ kind: "new" });
    expect(store.claim(claimOf("1", { surface: "slack" }))).toEqual({ kind: "new" });
    const first = take(store, commitOf(before, { claim: claimOf("1") }));
    store.refuse(claimOf("2"), "awaiting_approval", 5);
    expect(store.claim(claimOf("1"))).toEqual({ kind: "known", outcome: { kind: "accepted" } });
    expect(store.claim(claimOf("2"))).toEqual({
      kind: "known",
      outcome: { kind: "refused", why: "awaiting_approval" },
    });
    expect(store.openClaims().map(({ surface }) => surface)).toEqual(["slack"]);
    store.refuse(claimOf("1"), "agent_busy", 6);
    expect(store.claim(claimOf("1"))).toEqual({ kind: "known", outcome: { kind: "accepted" } });
    for (const claim of [claimOf("1"), claimOf("unknown")]) {
      expect(store.commit(commitOf(first, { claim }))).toMatchObject({ kind: "failed", code: "conflict" });
    }
    expect(store.load("c-1")?.state.seq).toBe(1);
    take(store, commitOf(first, { claim: claimOf("1", { surface: "slack" }) }));
  });

  it("gives a refused message back with its words, and takes it after all once (D7)", () => {
    const store = open();
    const before = begin(store);
    const said = claimOf("1");
    store.claim(said);
    expect(store.refused(said)).toBeNull();
    store.refuse(said, "agent_busy", 5);
    expect(store.refused(said)).toEqual(said);
    const after = take(store, commitOf(before, { claim: said }));
    expect(store.refused(said)).toBeNull();
    expect(store.commit(commitOf(after, { claim: said }))).toMatchObject({ code: "conflict" });
  });

  it("refuses a claim of a conversation that does not exist", () => {
    expect(open().claim(claimOf("1", { conversation: "c-9" }))).toMatchObject({ kind: "failed" });
  });
});

/** Message ids are random in the product; here each entry gets one of its own. */
const rename = (entry: Entry, message: MessageId): Entry => {
  switch (entry.kind) {
    case "said":
    case "answer":
    case "summary":
    case "asked":
      return { ...entry, message };
    case "result": {
      const { outcome } = entry;
      if (outcome.kind === "ran") return { ...entry, outcome: { ...outcome, message } };
      if (outcome.kind === "mode") return entry;
      const decision = outcome.decision === null ? null : { ...outcome.decision, comment: message };
      return { ...entry, outcome: { ...outcome, decision } };
    }
    case "granted":
      return { ...entry, decision: { ...entry.decision, comment: message } };
    case "note":
      return typeof entry.note === "string" ? entry : { ...entry, note: { ...entry.note, message } };
    case "notice":
      return entry;
  }
};
