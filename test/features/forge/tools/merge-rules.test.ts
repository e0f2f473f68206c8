/** Reasons against a merge: there is none exactly where everything is green, approved and free. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeBlocks } from "../../../../src/features/forge/tools/merge-rules.ts";

const run = fc.record({
  name: fc.string({ unit: "binary", minLength: 1, maxLength: 120 }),
  state: fc.constantFrom(
    "success",
    "neutral",
    "skipped",
    "failure",
    "failed",
    "in progress",
    "cancelled",
    "pending",
  ),
  failed: fc.boolean(),
  id: fc.constant("k1"),
  url: fc.constant(null),
  log: fc.constant(null),
});
const review = fc.record({
  author: fc.string({ unit: "binary", maxLength: 40 }),
  verdict: fc.constantFrom("approved" as const, "changes requested" as const),
});
const state = fc.record({
  checks: fc.record({
    ref: fc.constant("x"),
    runs: fc.array(run, { maxLength: 8 }),
    left: fc.constantFrom(0, 3, null),
  }),
  standing: fc.record({
    headCommit: fc.constant("a".repeat(40)),
    isDraft: fc.boolean(),
    commits: fc.constant([]),
    commitsLeft: fc.constant(0),
    methods: fc.constant(["merge" as const]),
    reviews: fc.array(review, { maxLength: 4 }),
    requiredReviews: fc.constantFrom(null, 0, 1, 2),
    requiredChecks: fc.array(fc.constantFrom("test", "lint"), { maxLength: 2 }),
    block: fc.constantFrom(null, "GitHub blocks the merge."),
  }),
});

/** States that the forges give to a check that is over and was no failure. */
const OVER = ["success", "neutral", "skipped"];

it("none exactly where all checks are green, the required ones are there, and reviews suffice", () => {
  fc.assert(
    fc.property(state, ({ checks, standing }) => {
      const { runs } = checks;
      const isGreen = runs.every(
        (one) => !one.failed && (OVER.includes(one.state) || one.state === "failed"),
      );
      const isThere = standing.requiredChecks.every((name) => runs.some((one) => one.name === name));
      const approvals = standing.reviews.filter(({ verdict }) => verdict === "approved").length;
      const isApproved =
        approvals === standing.reviews.length && approvals >= (standing.requiredReviews ?? 0);
      const isFree = standing.block === null && checks.left === 0;
      expect(mergeBlocks({ checks, standing }).length === 0).toBe(isGreen && isThere && isApproved && isFree);
    }),
  );
});

it("names of checks and people stay one line of ASCII, whatever they say", () => {
  fc.assert(
    fc.property(state, (given) => {
      for (const sentence of mergeBlocks(given)) expect(sentence).toMatch(/^[\x20-\x7e]{1,800}$/);
    }),
  );
});
