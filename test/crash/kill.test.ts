/**
 * The real process ended by SIGKILL (D36) again and again while a person talks, approves and stops: each of her threads
 * ends as it would have without it, notices of the interruption aside.
 */

import { expect, it } from "vitest";
import { ofWhole } from "../sample.ts";
import type { Task } from "./answers.ts";
import { type Alice, live, threadOf } from "./platforms/person.ts";
import { plainly } from "./plainly.ts";
import { createReal, type Point } from "./real.ts";

/** `npm run crash` ends it more often. */
const ENDS = Number(process.env["CRASH_ENDS"] ?? ofWhole(40, 8));

/** Hosts that live and die beside each other, each with a Slack and a file of its own: starting one is work for a core. */
const HOSTS = 2;

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
    case "before a request to the forge":
    case "after a request to the forge":
      return { kind, no: 1 + (round % 2) };
  }
};

/** Ends one host at every second point, or so, while people live before it; says how many of their threads stood. */
const endAgainAndAgain = async (first: number): Promise<number> => {
  const real = await createReal();
  const host = await real.start();
  const calm = await Promise.all(people.map((one) => live(real.slack, one)));
  const whole = calm.map((root) => plainly(threadOf(real.slack, root)));
  expect(await host.stop("SIGTERM")).toBe(0);

  let point = first;
  let threads = 0;
  while (point < ENDS) {
    const lived = Promise.all(people.map((one) => live(real.slack, one)));
    const over = lived.then(
      () => undefined,
      () => undefined,
    );
    while (await real.endAt(pointOf(point), over)) point += HOSTS;
    for (const [index, root] of (await lived).entries()) {
      expect(plainly(threadOf(real.slack, root))).toBe(whole[index]);
      threads += 1;
    }
  }
  expect(real.slack.violations).toEqual([]);
  expect(real.model.violations).toEqual([]);
  return threads;
};

it("every thread is as if nothing had happened, notices aside", async () => {
  const threads = await Promise.all(Array.from({ length: HOSTS }, (_, first) => endAgainAndAgain(first)));
  const whole = threads.reduce((sum, some) => sum + some, 0);
  console.log(`killed ${ENDS} times; ${whole} threads as if nothing had happened`);
});
