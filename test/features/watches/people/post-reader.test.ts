/** The line below a duplicate: a lost connection delays the line, and only refusals give up. */

import { expect, it } from "vitest";
import { createPostReader } from "../../../../src/features/watches/people/post-reader.ts";
import type { PostEvent } from "../../../../src/features/watches/people/first-looks.ts";
import { systemClock } from "../../../../src/app/system-clock.ts";
import { english } from "../../../../src/i18n/say.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { watchWith } from "../watch.ts";
import { PEOPLE_SOURCE } from "./scene.ts";

const EVENT: PostEvent = {
  watch: "noticed",
  delivery: "C1/1.0",
  fingerprint: "f",
  title: "known",
  text: "known",
  link: null,
  at: 1,
  post: "1.0",
  person: { place: "C1", author: "slack:UBOB" },
};

/** `standings`: at each try, then connected. */
const reading = (standings: readonly string[], refuses = false) => {
  const tries = { told: 0, asked: 0 };
  const waits: number[] = [];
  const reader = createPostReader({
    clock: {
      ...systemClock,
      after: (delay: number, fire: () => void) => {
        waits.push(delay);
        return systemClock.after(0, fire);
      },
    },
    log: silentLog,
    isAllowed: true,
    rows: { lately: () => [] },
    looks: { isIgnored: () => false, begun: async () => ({ kind: "done" }) },
    first: {
      look: async () => ({
        kind: "decided",
        decision: { kind: "duplicate", link: "https://github.com/acme/api/issues/7" },
      }),
    },
    matters: { forget: () => undefined },
    leftOut: { count: () => undefined },
    bot: { forget: () => Promise.reject(new Error("nothing is deleted here")) },
    surfaces: () => [
      {
        name: "slack",
        off: null,
        standing: () => {
          tries.asked += 1;
          return standings[tries.asked - 1] ?? "on";
        },
        say: () => english,
        tell: async () => {
          tries.told += 1;
          return refuses ? { kind: "refused", why: "no" } : { kind: "put", message: "1.1" };
        },
      },
    ],
  } as never);
  const ending = new AbortController();
  const answer = () => reader.answer(watchWith(PEOPLE_SOURCE, { id: "noticed" }), EVENT, "i", ending.signal);
  return { answer, tries, waits, ending };
};

it("is posted after a reconnect of any length", async () => {
  const { answer, tries, waits } = reading(Array.from({ length: 50 }, () => "reconnecting"));
  expect(await answer()).toBe("done");
  expect(tries.told).toBe(1);
  expect(waits.length).toBe(50);
});

it("is given up after refusals", async () => {
  const { answer, tries } = reading([], true);
  expect(await answer()).toBe("done");
  expect(tries.told).toBe(3);
});

it("waits for the next process if this one ends", async () => {
  const { answer, tries, ending } = reading(Array.from({ length: 5_000 }, () => "reconnecting"));
  const answered = answer();
  ending.abort();
  expect(await answered).toBe("later");
  expect(tries.told).toBe(0);
});
