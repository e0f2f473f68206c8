/** Answers that were posted: written with the step that posts them, gone with what they are made of. */

import { describe, expect, it } from "vitest";
import type { MessageId } from "../../../src/machine/id.ts";
import type { Entry } from "../../../src/machine/transcript.ts";
import type { Answer } from "../../../src/ports/answers.ts";
import type { Commit } from "../../../src/ports/store.ts";
import type { Citation } from "../../../src/text/citation.ts";
import type { StoredContent } from "../../../src/thread/prompt.ts";
import { turnBody } from "../../turn-body.ts";
import { postAnswer } from "../posted-answer.ts";
import { openGrouped, openWithConnection } from "../kit.ts";
import { begin, commitOf, operator, take } from "../plain.ts";

const FOUND: Citation = { path: "a.ts:3", from: 3, to: 3, status: "found", file: "a.ts", blob: "b1" };
const QUESTION: MessageId = "m-question";
const ANSWER: MessageId = "m-answer";
const ID = { conversation: "c-1", message: ANSWER } as const;

const said: Entry = { turn: 1, seq: 1, at: 5, kind: "said", message: QUESTION, speaker: operator, images: 0 };
const answer = (stop: "end" | "max_tokens" = "end"): Entry => ({
  turn: 1,
  seq: 2,
  at: 9,
  kind: "answer",
  message: ANSWER,
  text: 20,
  calls: [],
  stop,
});
const words: StoredContent = {
  kind: "answer",
  blocks: [{ kind: "text", text: "See a.ts:3." }],
  citations: [FOUND],
};

const asking: Partial<Commit> = {
  append: [said],
  words: [
    {
      id: QUESTION,
      words: { kind: "said", text: "> quoted\nWhere?", own: { brought: 9, said: 9 }, images: [] },
    },
  ],
};

const answering = (entry = answer()): Partial<Commit> => ({
  append: [entry],
  words: [{ id: ANSWER, words }],
  posts: [{ key: "turn/1/1", at: 9, final: true, actions: [], body: turnBody({ said: [ANSWER] }) }],
});

const answered = (entry = answer()) => {
  const opened = openWithConnection();
  const asked = take(opened.store, commitOf(begin(opened.store), asking));
  opened.store.setBase("c-1", { commit: "c0", ref: "main", cwd: "/work" });
  const usage = { ...asked.turn.usage, costMicroUsd: 1_234.4 };
  const step = commitOf(asked, answering(entry));
  const state = take(opened.store, { ...step, after: { ...step.after, turn: { ...asked.turn, usage } } });
  return { ...opened, state };
};

describe("an answer", () => {
  it("is stored with its step: what was asked, what it cost and what it cites", () => {
    const { answers, db } = answered();
    expect(db.prepare("SELECT cost FROM answers").pluck().get()).toBe(1_234);
    expect(answers.answersPage(9, null, 10_000)).toEqual([answers.answer(ID)]);
    expect(answers.answersPage(10, null, 10_000)).toEqual([]);
    expect(answers.answer(ID)).toMatchObject({
      ...ID,
      post: "turn/1/1",
      said: [ANSWER],
      question: { text: "Where?", isPlain: false },
      audience: null,
      thread: null,
      citations: [FOUND],
      standing: "holds",
      base: { commit: "c0" },
    });
  });

  it("is read page by page, the newest first", async () => {
    const { answers, store } = openGrouped();
    const repo = { kind: "path", location: "/repo" } as const;
    for (const [no, at] of [3, 1, 1, 2, 1].entries())
      await postAnswer({ store }, { no, repo, commit: "c0", at, citations: [] });
    const all = answers.answersPage(1, null, 9).map(({ at }) => at);
    expect(all).toEqual([3, 2, 1, 1, 1]);
    const pages: string[] = [];
    for (let last: Answer | null = null; ; ) {
      const page: readonly Answer[] = answers.answersPage(1, last, 2);
      pages.push(...page.map(({ conversation }) => conversation));
      if (page.length < 2) break;
      last = page.at(-1) ?? null;
    }
    expect(pages).toEqual(answers.answersPage(1, null, 9).map(({ conversation }) => conversation));
    expect(answers.answersPage(2, null, 9)).toHaveLength(2);
  });

  it("that was cut off is none", () => {
    expect(answered(answer("max_tokens")).answers.answersPage(0, null, 10_000)).toEqual([]);
  });

  it("that somebody looked at first is stored as it is sent; words of whoever edited it cite nothing", () => {
    const sent = (edited: boolean): readonly Answer[] => {
      const { store, answers } = openWithConnection();
      const asked = take(store, commitOf(begin(store), asking));
      store.setBase("c-1", { commit: "c0", ref: "main", cwd: "/work" });
      const held = take(store, commitOf(asked, { append: [answer()], words: [{ id: ANSWER, words }] }));
      expect(answers.answersPage(0, null, 10_000)).toEqual([]);
      const choice = edited ? "edit" : "send";
      const granted: Entry = {
        turn: 1,
        seq: 3,
        at: 70,
        kind: "granted",
        call: { id: "host-2", name: "post_answer", intent: "tool" },
        ask: { kind: "answer", place: "B" },
        decision: { choice, by: operator.id, at: 70, comment: edited ? "m-words" : null },
      };
      const body = turnBody({
        said: [edited ? "m-words" : ANSWER],
        looked: { by: operator.id, edited },
      });
      const posts = [{ key: "turn/1/1", at: 70, final: true, actions: [], body }];
      const note: Entry = {
        turn: 1,
        seq: 3,
        at: 70,
        kind: "note",
        note: { kind: "edited", message: "m-words" },
      };
      const theirs = { id: "m-words", words: { kind: "comment", text: "See a.ts:3." } } as const;
      const more = edited ? { append: [granted, note], words: [theirs] } : { append: [granted] };
      take(store, commitOf(held, { ...more, posts }));
      return answers.answersPage(0, null, 10_000);
    };
    expect(sent(false)).toMatchObject([{ message: ANSWER, at: 70, citations: [FOUND] }]);
    expect(sent(true)).toMatchObject([{ message: "m-words", said: ["m-words"], citations: [] }]);
  });

  it("to which nobody's question belongs any more is gone: words of it were taken back", () => {
    const { store, state, answers } = answered();
    const erasure = {
      words: [{ id: QUESTION, words: { kind: "gone" } as const }],
      claims: [],
      title: null,
      uninstructed: false,
    };
    take(store, commitOf(state, { erasure }));
    expect(answers.answer(ID)).toBeNull();
  });

  it("stays where other words of its conversation are taken back", () => {
    const { store, state, answers } = answered();
    const erasure = {
      words: [{ id: "m-other", words: { kind: "gone" } as const }],
      claims: [],
      title: null,
      uninstructed: false,
    } as const;
    take(store, commitOf(state, { erasure }));
    expect(answers.answer(ID)).not.toBeNull();
  });

  it("goes with its conversation", () => {
    const { store, answers, db } = answered();
    store.hide("c-1");
    expect(answers.answer(ID)).toBeNull();
    expect(db.prepare("SELECT count(*) FROM answers").pluck().get()).toBe(0);
  });

  it("knows who could read it, once", () => {
    const { answers } = answered();
    answers.setAudience(ID, "private");
    answers.setAudience(ID, "public");
    expect(answers.answer(ID)?.audience).toBe("private");
  });
});

describe("what became of its citations", () => {
  const now = [{ ...FOUND, now: { kind: "changed", commit: "c9" } } as const];

  it("is stored and shown, and its post is delivered anew", () => {
    const { store, answers } = answered();
    const before = store.posts("c-1", 0).at(-1)?.revision ?? 0;
    const looked = { ...ID, citations: now, looked: ["c9"], isQuiet: false };
    expect(answers.setLooked([looked])).toEqual({ kind: "done", shown: [ID] });
    expect(answers.answer(ID)).toMatchObject({ standing: "changed", citations: now, looked: ["c9"] });
    expect(store.words([ANSWER]).get(ANSWER)).toEqual({ ...words, citations: now });
    expect(store.posts("c-1", before).map(({ post }) => post.key)).toEqual(["turn/1/1"]);
    expect(answers.setLooked([looked])).toEqual({ kind: "done", shown: [] });
  });

  it("leaves a post alone that is to be left alone, and every post where nothing changed", () => {
    const { store, answers } = answered();
    const before = store.posts("c-1", 0).at(-1)?.revision ?? 0;
    const same = { ...ID, citations: [FOUND], looked: ["c9"], isQuiet: false };
    const quiet = { ...same, citations: now, isQuiet: true };
    expect(answers.setLooked([same, quiet])).toEqual({ kind: "done", shown: [] });
    expect(store.posts("c-1", before)).toEqual([]);
  });

  it("brings nothing back that was taken back meanwhile", () => {
    const { store, state, answers } = answered();
    const erasure = {
      words: [{ id: ANSWER, words: { kind: "gone" } as const }],
      claims: [],
      title: null,
      uninstructed: false,
    };
    take(store, commitOf(state, { erasure }));
    expect(answers.setLooked([{ ...ID, citations: now, looked: ["c9"], isQuiet: false }])).toEqual({
      kind: "done",
      shown: [],
    });
    expect(store.words([ANSWER]).get(ANSWER)).toEqual({ kind: "gone" });
  });
});
