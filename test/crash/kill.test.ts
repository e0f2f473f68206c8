/**
 * The real process ended by SIGKILL (D36) again and again while a person talks, approves and stops: each of her threads
 * ends as it would have without it, notices of the interruption aside.
 */

import { expect, it } from "vitest";
import type { Task } from "./answers.ts";
import { type Alice, live, threadOf } from "./person.ts";
import { plainly } from "./plainly.ts";
import { createReal, type Point } from "./real.ts";

/** `npm run crash` ends it more often. */
const ENDS = Number(process.env["CRASH_ENDS"] ?? 40);

const tasks: readonly Task[] = ["list", "change", "hang", "hello"];
const people: readonly Alice[] = [
  { choice: "Approve", tasks },
  { choice: "Deny", tasks: ["change", "hello"] },
];

const kinds: readonly Point["kind"][] = [
  "before a call to Slack",
  "a commit",
  "after a call to Slack",
  "an acknowledged event",
  "a request to the model",
];

/** Sooner and later ones by turns, so that no two processes in a row end before they got anywhere. */
const pointOf = (index: number): Point => {
  if (index >= ENDS) return { kind: "a commit", no: Number.POSITIVE_INFINITY };
  const kind = kinds[index % kinds.length] ?? "a commit";
  const round = Math.floor(index / kinds.length);
  switch (kind) {
    case "before a call to Slack":
    case "after a call to Slack":
      return { kind, no: 4 + ((round * 5) % 13) };
    case "a commit":
      return { kind, no: 6 + ((round * 11) % 40) };
    case "an acknowledged event":
    case "a request to the model":
      return { kind, no: 1 + (round % 2) };
  }
};

it("every thread is as if nothing had happened, notices aside", { timeout: 1_800_000 }, async () => {
  const real = await createReal();
  const host = await real.start();
  const calm = await Promise.all(people.map((one) => live(real.slack, one)));
  const whole = calm.map((root) => plainly(threadOf(real.slack, root)));
  expect(await host.stop("SIGTERM")).toBe(0);

  let ends = 0;
  let threads = 0;
  while (ends < ENDS) {
    const lived = Promise.all(people.map((one) => live(real.slack, one)));
    const over = lived.then(
      () => undefined,
      () => undefined,
    );
    while (await real.endAt(pointOf(ends), over)) ends += 1;
    for (const [index, root] of (await lived).entries()) {
      expect(plainly(threadOf(real.slack, root))).toBe(whole[index]);
      threads += 1;
    }
  }
  console.log(`killed ${ends} times; ${threads} threads as if nothing had happened`);
  expect(real.slack.violations).toEqual([]);
  expect(real.model.violations).toEqual([]);
});
