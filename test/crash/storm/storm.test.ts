/** A short storm; `npm run crash -- storm SECONDS [TROUBLE]` is the long one. */

import { expect, it } from "vitest";
import { storm } from "./storm.ts";

it("of what two to five people say in a thread nothing is lost or doubled while a host is killed and its sockets are cut", {
  timeout: 240_000,
}, async () => {
  const { lost, doubled, violations, isClean, clicks, troubles, ...stormed } = await storm(6);
  expect({ lost, doubled, violations }).toEqual({ lost: [], doubled: [], violations: [] });
  expect(troubles.slice(0, 2)).toEqual(["kill", "loss of all sockets"]);
  expect(stormed.answered + stormed.refused + stormed.stopped + stormed.interrupted).toBe(stormed.said);
  expect(clicks.strangers).toBeGreaterThan(0);
  expect(clicks).toMatchObject({ byStranger: 0, unanswered: 0 });
  expect(isClean).toBe(true);
});
