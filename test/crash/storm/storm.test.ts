/** A short storm; `npm run crash -- storm SECONDS [TROUBLE]` is the long one. */

import { expect, it } from "vitest";
import { storm } from "./storm.ts";
import { TROUBLES } from "./troubles.ts";

it("of what two to five people say in a thread nothing is lost or doubled, no stream stays open and no card without its question", async () => {
  const { lost, doubled, streams, cards, violations, isClean, clicks, troubles, ...stormed } = await storm(6);
  expect({ lost, doubled, streams, cards, violations }).toEqual({
    lost: [],
    doubled: [],
    streams: [],
    cards: [],
    violations: [],
  });
  expect(troubles.slice(0, 2)).toEqual(Object.keys(TROUBLES).slice(0, 2));
  expect(stormed.answered + stormed.refused + stormed.stopped + stormed.interrupted).toBe(stormed.said);
  expect(clicks.strangers).toBeGreaterThan(0);
  expect(clicks).toMatchObject({ byStranger: 0, unanswered: 0 });
  expect(isClean).toBe(true);
});
