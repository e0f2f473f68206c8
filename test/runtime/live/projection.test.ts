/** What a step leaves out is in the ledger already, whatever became of the steps before it. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { createProjection } from "../../../src/runtime/live/projection.ts";
import type { Post } from "../../../src/thread/post.ts";
import { notice } from "../../store/plain.ts";

const projected = fc.uniqueArray(
  fc.record({ key: fc.constantFrom("a", "b", "c"), skipped: fc.nat({ max: 2 }) }),
  { selector: ({ key }) => key },
);

it("a ledger that is given only what is new holds what one holds that is given all", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(projected, fc.boolean())), (steps) => {
      const projection = createProjection();
      const all = new Map<string, Post>();
      const given = new Map<string, Post>();
      for (const [wanted, isStored] of steps) {
        const posts = wanted.map(({ key, skipped }) => notice(key, skipped));
        const { changed, stored } = projection.next(posts);
        if (!isStored) continue;
        for (const post of posts) all.set(post.key, post);
        for (const post of changed) given.set(post.key, post);
        stored();
      }
      expect(given).toEqual(all);
    }),
  );
});

it("a step that changes one post of many hands over that one", () => {
  const projection = createProjection();
  projection.next([notice("a", 1), notice("b", 1)]).stored();
  expect(projection.next([notice("a", 1), notice("b", 2)]).changed).toEqual([notice("b", 2)]);
});
