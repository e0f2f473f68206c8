/** What people think of answers: counts and reasons, one vote a person, and no names. */

import fc from "fast-check";
import { expect, it } from "vitest";
import type { State } from "../../../src/machine/state.ts";
import type { Rating } from "../../../src/ports/feedback.ts";
import type { BesideStore } from "../beside.ts";
import { openWithConnection } from "../kit.ts";
import { begin, commitOf, take } from "../plain.ts";

const A = { conversation: "c-1", message: "m-1" } as const;

/** A conversation that has answered. */
const answered = (store: BesideStore): State => {
  const words = { kind: "answer", blocks: [{ kind: "text", text: "By a worker." }] } as const;
  const entry = {
    kind: "answer",
    turn: 0,
    seq: 1,
    at: 1,
    message: "m-1",
    text: 1,
    calls: [],
    stop: "end",
  } as const;
  return take(store, commitOf(begin(store), { words: [{ id: "m-1", words }], append: [entry] }));
};

const opened = () => {
  const parts = openWithConnection();
  return { ...parts, state: answered(parts.store) };
};

const by = (person: string, click: string, at = 10) =>
  ({ ...A, person: `slack:${person}`, click, at }) as const;

it("a person has one vote, which the other thumb replaces and the same thumb takes back", () => {
  const { feedback } = opened();
  expect(feedback.vote(by("U1", "1"), "up")).toEqual({ kind: "voted", thumb: "up" });
  expect(feedback.vote(by("U2", "2"), "up")).toEqual({ kind: "voted", thumb: "up" });
  expect(feedback.vote(by("U1", "3"), "down")).toEqual({ kind: "voted", thumb: "down" });
  expect(feedback.received([A])).toEqual([{ ...A, up: 1, down: 1, reasons: [], solved: null }]);
  expect([feedback.thumb(A, "slack:U1"), feedback.thumb(A, "slack:U3")]).toEqual(["down", null]);
  expect(feedback.vote(by("U2", "4"), "up")).toEqual({ kind: "voted", thumb: null });
  expect(feedback.received([A])).toMatchObject([{ up: 0, down: 1 }]);
});

it("whatever is pressed, and each press handled any number of times: what counts is each person's last thumb", () => {
  const press = fc.record({
    person: fc.constantFrom("U1", "U2", "U3"),
    thumb: fc.constantFrom<Rating>("up", "down"),
    times: fc.integer({ min: 1, max: 3 }),
  });
  const { feedback, db } = opened();
  fc.assert(
    fc.property(fc.array(press, { maxLength: 12 }), (presses) => {
      db.exec("DELETE FROM votes");
      const stands = new Map<string, Rating | null>();
      for (const [n, { person, thumb, times }] of presses.entries()) {
        for (let time = 0; time < times; time++) feedback.vote(by(person, `${n}`), thumb);
        stands.set(person, stands.get(person) === thumb ? null : thumb);
      }
      const count = (thumb: Rating): number => [...stands.values()].filter((one) => one === thumb).length;
      expect(feedback.received([A])).toMatchObject([{ up: count("up"), down: count("down") }]);
    }),
    { numRuns: 25 },
  );
});

it("a reason is kept with the thumb down that it explains, masked and bounded, and goes with it", () => {
  const { feedback } = opened();
  feedback.vote(by("U1", "1"), "down");
  feedback.explain(by("U1", "2"), `It names ghp_${"a1B2".repeat(9)} as the key. ${"x".repeat(2_000)}`);
  const [{ reasons, down } = { reasons: [], down: 0 }] = feedback.received([A]);
  expect([down, reasons[0]?.slice(0, 31), reasons[0]?.length]).toEqual([
    1,
    "It names ‹masked› as the key. x",
    1_000,
  ]);
  feedback.vote(by("U1", "3"), "up");
  expect(feedback.received([A])).toMatchObject([{ up: 1, down: 0, reasons: [] }]);
});

it("nobody's name is stored, and nobody is known again from one answer to the next", () => {
  const { feedback, db, store, state } = opened();
  const words = [{ id: "m-2", words: { kind: "comment", text: "Another." } }] as const;
  take(store, commitOf(state, { words }));
  feedback.vote(by("U0DANA", "action/U0DANA/1"), "up");
  feedback.vote({ ...by("U0DANA", "action/U0DANA/2"), message: "m-2" }, "up");
  const rows = db.prepare<[], { readonly voter: string }>("SELECT * FROM votes").all();
  expect(JSON.stringify(rows)).not.toContain("DANA");
  expect(new Set(rows.map(({ voter }) => voter)).size).toBe(2);
});

it("a question is solved until somebody asks on", () => {
  const { feedback, store, state } = opened();
  feedback.solve(A, 20);
  feedback.solve(A, 30);
  expect(feedback.received([A])).toMatchObject([{ solved: 20 }]);
  const on = { ...state, seq: state.seq + 1, turn: { ...state.turn, no: state.turn.no + 1 } };
  take(store, commitOf(state, { after: on }));
  expect(feedback.received([A])).toMatchObject([{ solved: null }]);
});

it("what is forgotten takes its feedback along: a person, an answer's words, a conversation", () => {
  const { feedback, store, state, db } = opened();
  const left = (): unknown =>
    db.prepare("SELECT (SELECT count(*) FROM votes) AS votes, (SELECT count(*) FROM solved) AS solved").get();
  const fill = (): void => {
    feedback.vote(by("U1", "1"), "up");
    feedback.vote(by("U2", "2"), "down");
    feedback.solve(A, 20);
  };
  fill();
  store.forgetBeside("slack:U1");
  expect(feedback.received([A])).toMatchObject([{ up: 0, down: 1 }]);
  fill();
  expect(left()).toEqual({ votes: 2, solved: 1 });
  const erasure = {
    words: [{ id: "m-1", words: { kind: "gone" } }],
    claims: [],
    title: null,
    uninstructed: false,
  } as const;
  take(store, commitOf(state, { erasure }));
  expect(left()).toEqual({ votes: 0, solved: 0 });
  fill();
  expect(left()).toEqual({ votes: 0, solved: 0 });
});

it("a removed conversation takes its feedback along", () => {
  const { feedback, store, db } = opened();
  feedback.vote(by("U1", "1"), "up");
  feedback.solve(A, 20);
  expect(store.hide("c-1")).toEqual({ kind: "done" });
  expect(db.prepare("SELECT answer FROM votes UNION ALL SELECT answer FROM solved").all()).toEqual([]);
});
