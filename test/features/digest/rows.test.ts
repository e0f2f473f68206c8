/** The questions of a week as rows: whose count where, which had no answer, and pages that bring each once. */

import { expect, it } from "vitest";
import { createDigestRows } from "../../../src/features/digest/rows.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { DigestTurn, TurnSelection, TurnPage } from "../../../src/features/digest/ports.ts";
import { type AskedRow, insertAsked } from "../../store/asked.ts";
import { openGrouped } from "../../store/kit.ts";

const ALL: TurnSelection = { from: 0, to: 1_000, channel: null, others: false, isClosed: false };
const HERE = { surface: "slack", place: "C1", server: null };

const opened = (...rows: readonly Omit<AskedRow, "n">[]) => {
  const { db, rows: table } = openGrouped();
  const insert = insertAsked(db);
  rows.forEach((row, n) => insert({ n, ...row }));
  return { db, digests: createDigestRows(table, silentLog) };
};

const whole = (page: (from: string | null) => TurnPage): readonly DigestTurn[] => {
  const turns: DigestTurn[] = [];
  for (let from: string | null = null; ; ) {
    const { turns: some, next }: TurnPage = page(from);
    turns.push(...some);
    if (next === null) return turns;
    from = next;
  }
};

const questions = (turns: readonly DigestTurn[]) => turns.map(({ question }) => question);

it("pages bring each turn of the span once, in order, however many were at one moment", () => {
  const rows = Array.from({ length: 450 }, (_, n) => ({
    at: 10 + Math.floor(n / 200),
    question: `Q${n}`,
    answer: n % 2 === 0 ? { cost: 1 } : null,
  }));
  const { digests } = opened({ at: 9, question: "before" }, ...rows, { at: 20, question: "after" });
  const reach = { ...ALL, from: 10, to: 20 };
  const answered = whole((from) => digests.answeredTurns(reach, from));
  const unanswered = whole((from) => digests.unansweredTurns(reach, from));
  expect([answered.length, unanswered.length]).toEqual([225, 225]);
  expect(new Set(questions([...answered, ...unanswered]))).toEqual(
    new Set(rows.map(({ question }) => question)),
  );
  expect(answered.map(({ at }) => at)).toEqual(answered.map(({ at }) => at).toSorted((a, b) => a - b));
});

it("a channel has its own questions, those that everybody can read elsewhere on its server, and no others", () => {
  const { digests } = opened(
    { at: 1, question: "own, open", place: "C1" },
    { at: 2, question: "own, in a closed thread", place: "C1", answer: { audience: "private" } },
    { at: 3, question: "elsewhere, open", place: "C2" },
    { at: 4, question: "elsewhere, closed", place: "C2", answer: { audience: "private" } },
    { at: 5, question: "elsewhere, nobody knows", place: "C2", answer: { audience: null } },
    { at: 6, question: "another server", place: "C3", server: "S2" },
    { at: 7, question: "left", place: "C1/c-6" },
  );
  const read = (changes: Partial<TurnSelection>) =>
    questions(digests.answeredTurns({ ...ALL, channel: HERE, ...changes }, null).turns);
  expect(read({ others: true })).toEqual(["own, open", "elsewhere, open", "left"]);
  expect(read({ isClosed: true })).toEqual(["own, open", "own, in a closed thread", "left"]);
  expect(read({ channel: { ...HERE, place: "C3", server: "S2" }, others: true })).toEqual(["another server"]);
  expect(read({ channel: null })).toHaveLength(7);
});

it("says what each cites once, what went stale, and what it cost; watches ask nothing", () => {
  const { digests } = opened(
    { at: 1, question: "Where?", answer: { cited: ["a.ts", "a.ts", "b.md"], cost: 7, standing: "changed" } },
    { at: 2, question: "An alert", asker: "watch:alerts" },
    { at: 3, question: "An alert", asker: "watch:alerts", answer: null },
  );
  const { turns } = digests.answeredTurns(ALL, null);
  expect(turns).toMatchObject([
    {
      question: "Where?",
      thread: { place: "CGENERAL", root: "0" },
      answer: { cited: ["a.ts", "b.md"], cost: 7, isStale: true },
    },
  ]);
  expect(digests.unansweredTurns(ALL, null).turns).toEqual([]);
});

it("a turn that was answered by another try had an answer, and one that failed twice had none, once", () => {
  const { digests, db } = opened(
    { at: 1, question: "Twice?", answer: null },
    { at: 2, question: "Again?", answer: null },
  );
  const copy = db.prepare(`
    INSERT INTO messages (id, conversation, position, turn, kind, entry, words)
    SELECT id || '-more', conversation, 2, turn, ?, ?, NULL FROM messages WHERE id = ?`);
  const notice = { kind: "notice", turn: 1, seq: 3, at: 3, notice: { kind: "empty" } };
  copy.run("notice", JSON.stringify(notice), "m-0-ended");
  const answer = {
    kind: "answer",
    turn: 1,
    seq: 3,
    at: 3,
    message: "m-1-more",
    text: 5,
    calls: [],
    stop: "end",
  };
  copy.run("answer", JSON.stringify(answer), "m-1-ended");
  expect(questions(digests.unansweredTurns(ALL, null).turns)).toEqual(["Twice?"]);
});

it("words that are taken back are in no digest read later", () => {
  const { digests, db } = opened({ at: 1, question: "My secret plan?", answer: null });
  db.prepare("UPDATE messages SET words = ? WHERE id = 'm-0-asked'").run(JSON.stringify({ kind: "gone" }));
  expect(digests.unansweredTurns(ALL, null).turns).toMatchObject([{ question: null }]);
});

it("a channel that is told is kept, changed and dropped", async () => {
  const { digests } = opened();
  const one = { ...HERE, told: "2026-11-16", by: "slack:U1", at: 5 } as const;
  await digests.putDigest(one);
  await digests.putDigest({ ...one, told: "2026-11-23" });
  expect(digests.digests()).toEqual([{ ...one, told: "2026-11-23" }]);
  await digests.dropDigest("slack", "C1");
  expect(digests.digests()).toEqual([]);
});
