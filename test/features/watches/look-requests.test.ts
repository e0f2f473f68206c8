/** The console lists decisions with cost and reason, and corrects one with one click; examples can be removed. */

import { expect, it } from "vitest";
import { correctLook, listLooks, uncorrectLook } from "../../../src/features/watches/look-requests.ts";
import { createLookRows } from "../../../src/features/watches/store/look-rows.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { openMemory } from "../../store/in-memory.ts";

const posted = (body: object): Request =>
  new Request("http://host/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const contextWith = (words: string | null) => {
  const looks = createLookRows(openMemory().rows, silentLog);
  const surface = {
    name: "slack",
    tell: async () => ({ kind: "refused", why: "" }) as const,
    say: () => (text: string) => text,
  };
  return {
    looks,
    book: {
      all: () => [],
      add: never,
      change: never,
      remove: never,
      readSchedule: never,
    },
    operator: { id: "console:operator", mayDrive: true, mayApprove: true } as const,
    threads: { thread: () => null },
    surfaces: () =>
      [
        {
          ...surface,
          readPost: async () => (words === null ? { kind: "deleted" } : { kind: "read", text: words }),
        },
      ] as never,
    clock: { now: () => 9 },
  };
};

const never = (): Promise<never> => Promise.reject(new Error("not here"));

const LOOK = {
  watch: "noticed",
  surface: "slack",
  place: "C1",
  post: "1.0",
  at: 5,
  decision: { kind: "nothing" },
  reason: "Chatter.",
  cost: 120,
  author: "slack:UBOB",
  conversation: null,
} as const;

it("a corrected decision becomes an example with the words of the post, and can be taken back", async () => {
  const context = contextWith("The cart crashes");
  await context.looks.put(LOOK);
  expect(await listLooks(context, "noticed").json()).toMatchObject({
    looks: [
      { post: "1.0", decision: { kind: "nothing" }, reason: "Chatter.", costUsd: 0.00012, correction: null },
    ],
    corrections: [],
  });
  const done = await correctLook(context, "noticed", posted({ place: "C1", post: "1.0", correct: "look" }));
  const id = "noticed:C1:1.0";
  expect(await done.json()).toMatchObject({
    looks: [{ correction: id }],
    corrections: [
      { id, text: "The cart crashes", decided: "nothing", correct: "look", by: "console:operator" },
    ],
  });
  expect(await (await uncorrectLook(context, "noticed", id)).json()).toMatchObject({ corrections: [] });
});

it("a listed decision can be corrected after days, and an older one no longer names its author", async () => {
  const DAY = 86_400_000;
  const context = contextWith("The cart crashes");
  const put = (no: number) => context.looks.put({ ...LOOK, post: `${no}.0`, at: no });
  await put(1);
  await put(2 + 5 * DAY);
  const correct = (post: string) =>
    correctLook(context, "noticed", posted({ place: "C1", post, correct: "look" }));
  await correct("1.0");
  expect(context.looks.corrections("noticed")).toMatchObject([{ post: "1.0", author: "slack:UBOB" }]);
  for (let no = 1; no < 100; no += 1) await put(2 + 5 * DAY + no);
  expect(context.looks.lately("noticed", 200).map(({ author }) => author)).toEqual([
    ...Array.from({ length: 100 }, () => "slack:UBOB"),
    null,
  ]);
  expect(JSON.parse(await listLooks(context, "noticed").text()).looks.length).toBe(100);
  await expect(correct("1.0")).rejects.toMatchObject({ status: 400 });
});

it("a post of a person who asked to be ignored becomes no example, until the person comes back", async () => {
  const context = contextWith("The cart crashes");
  await context.looks.put(LOOK);
  const correct = () =>
    correctLook(context, "noticed", posted({ place: "C1", post: "1.0", correct: "look" }));
  await context.looks.ignore("slack", "slack:UBOB", 6);
  await expect(correct()).rejects.toMatchObject({ status: 400 });
  expect(context.looks.corrections("noticed")).toEqual([]);
  await context.looks.endIgnoring("slack", "slack:UBOB", 7);
  await correct();
  expect(context.looks.corrections("noticed").length).toBe(1);
});

it("a post that is gone becomes no example", async () => {
  const context = contextWith(null);
  await context.looks.put(LOOK);
  await expect(
    correctLook(context, "noticed", posted({ place: "C1", post: "1.0", correct: "look" })),
  ).rejects.toMatchObject({ status: 400 });
  await expect(
    correctLook(context, "noticed", posted({ place: "C1", post: "2.0", correct: "look" })),
  ).rejects.toMatchObject({ status: 400 });
  expect(context.looks.corrections("noticed")).toEqual([]);
});
