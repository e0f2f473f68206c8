/** A status waits for the first words only where the last answer began at once. */

import { expect, it } from "vitest";
import { createQuickAnswers } from "../../../../adapters/slack/write/quick-answers.ts";
import type { ConversationId } from "../../../../src/machine/id.ts";
import { createVirtualClock } from "../../../fakes/shared/clock.ts";

const scene = () => {
  const clock = createVirtualClock();
  const quick = createQuickAnswers(clock);
  const late: string[] = [];
  return {
    clock,
    quick,
    late,
    /** A turn whose first words come after so long. */
    turn: (id: ConversationId, after: number): void => {
      quick.works(id, true);
      clock.advance(after);
      quick.begins(id);
      quick.works(id, false);
    },
    expects: (id: ConversationId): boolean => quick.expects(id, () => void late.push(id)),
  };
};

it("the first turn of a process does not wait, and neither does one after a slow answer", () => {
  const { quick, turn, expects } = scene();
  quick.works("c-1", true);
  expect(expects("c-1")).toBe(false);
  turn("c-2", 600);
  quick.works("c-3", true);
  expect(expects("c-3")).toBe(false);
});

it("after a quick answer, the next waits; its first words end the wait without a call", () => {
  const { clock, quick, late, turn, expects } = scene();
  turn("c-1", 200);
  quick.works("c-2", true);
  expect([expects("c-2"), expects("c-2")]).toEqual([true, true]);
  clock.advance(300);
  quick.begins("c-2");
  clock.advance(10_000);
  expect(late).toEqual([]);
  expect(expects("c-2")).toBe(false);
});

it("words that do not come in time make the status late once, and the next turn does not wait", () => {
  const { clock, quick, late, turn, expects } = scene();
  turn("c-1", 200);
  quick.works("c-2", true);
  expect([expects("c-2"), expects("c-2")]).toEqual([true, true]);
  clock.advance(600);
  expect(late).toEqual(["c-2"]);
  expect(expects("c-2")).toBe(false);
  quick.works("c-3", true);
  expect(expects("c-3")).toBe(false);
});

it("a turn that ended meanwhile calls nothing, and the next turn of its conversation waits anew", () => {
  const { clock, quick, late, turn, expects } = scene();
  turn("c-1", 200);
  quick.works("c-1", true);
  expect(expects("c-1")).toBe(true);
  quick.works("c-1", false);
  quick.works("c-1", true);
  expect(expects("c-1")).toBe(true);
  clock.advance(300);
  quick.begins("c-1");
  clock.advance(600);
  expect(late).toEqual([]);
});
