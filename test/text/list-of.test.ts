import { expect, it } from "vitest";
import * as z from "zod";
import { listOf } from "../../src/text/list-of.ts";

const schema = z.object({
  messages: z
    .unknown()
    .transform(
      listOf(z.object({ role: z.string(), parts: z.unknown().transform(listOf(z.number())).optional() })),
    ),
});

it("40.A1 reads a list until its first wrong entry, which alone is told with its place", () => {
  let read = 0;
  const counting = z.unknown().transform(listOf(z.custom(() => (read += 1) < 3)));
  const { error } = counting.safeParse(Array.from({ length: 100_000 }, () => 1));
  expect([read, error?.issues.length, error?.issues[0]?.path]).toEqual([3, 1, [2]]);
  const wrong = { messages: [{ role: "a" }, { role: "b", parts: [1, "2", "3"] }, 4, 5] };
  expect(schema.safeParse(wrong).error?.issues).toMatchObject([{ path: ["messages", 1, "parts", 1] }]);
});

it("and a list that fits as it is; what is no list is told as that", () => {
  const right = { messages: [{ role: "a", parts: [1, 2] }, { role: "b" }] };
  expect(schema.parse(right)).toEqual(right);
  expect(schema.safeParse({}).error?.issues).toMatchObject([
    { path: ["messages"], message: "must be a list" },
  ]);
  expect(schema.safeParse({ messages: { 0: 1 } }).success).toBe(false);
});
