/** An answer is never older than the question, however many ask, and what nobody waits for is not read. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { createReadCoalescer } from "../../../adapters/post/reads.ts";

const REFUSED = "Error: no";

const event = fc.oneof(
  fc.record({ kind: fc.constant("ask" as const), key: fc.constantFrom("a", "b") }),
  fc.record({ kind: fc.constant("answer" as const), key: fc.constantFrom("a", "b"), fails: fc.boolean() }),
);

const law = fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
  const reads = createReadCoalescer<number>();
  const open = new Map<string, PromiseWithResolvers<number>>();
  const begunAt: number[] = [];
  const asked: Promise<boolean>[] = [];
  let now = 0;
  const answer = async (key: string, fails: boolean): Promise<void> => {
    const read = open.get(key);
    open.delete(key);
    if (fails) read?.reject(new Error("no"));
    else read?.resolve(begunAt.length);
    await new Promise((resolve) => void setImmediate(resolve));
  };
  for (const one of events) {
    now += 1;
    if (one.kind === "answer") {
      await answer(one.key, one.fails);
      continue;
    }
    const at = now;
    const asking = reads(one.key, () => {
      expect(open.has(one.key)).toBe(false);
      const read = Promise.withResolvers<number>();
      open.set(one.key, read);
      const begun = now;
      begunAt.push(begun);
      return read.promise.then(() => begun);
    });
    asked.push(
      asking.then(
        (begun) => begun >= at,
        (error: unknown) => String(error) === REFUSED,
      ),
    );
  }
  for (const key of ["a", "b", "a", "b"]) await answer(key, false);
  expect(await Promise.all(asked)).not.toContain(false);
  expect(begunAt.length).toBeLessThanOrEqual(asked.length);
  expect(open.size).toBe(0);
});

test("each read begins after everybody whom it answers has asked, one at a time for each thing", () =>
  fc.assert(law));
