/** Reasons against a merge, each a sentence with the remedy, the most important first. Pure. */

import { errorTextOf } from "../api/ask.ts";
import type { MergeStanding } from "../ports/merging.ts";
import type { CheckRun, Checks } from "../ports/project.ts";

/** States of checks that have ended without a problem, as both forges name them. */
const GREEN: readonly string[] = ["success", "neutral", "skipped", "manual"];

const isGreenCheck = ({ state, failed }: CheckRun): boolean =>
  GREEN.includes(state) || (state === "failed" && !failed);

export const mergeBlocks = ({
  checks,
  standing,
}: {
  readonly checks: Checks;
  readonly standing: MergeStanding;
}): readonly string[] => {
  const named = new Set(checks.runs.map(({ name }) => name));
  const red = checks.runs.filter(({ failed }) => failed).map(({ name }) => name);
  const open = [
    ...checks.runs.filter((run) => !run.failed && !isGreenCheck(run)).map(({ name }) => name),
    ...standing.requiredChecks.filter((name) => !named.has(name)),
  ];
  const against = standing.reviews.filter(({ verdict }) => verdict === "changes requested");
  const approvals = standing.reviews.length - against.length;
  const missing = (standing.requiredReviews ?? 0) - approvals;
  return [
    ...(red.length === 0 ? [] : [`These checks failed: ${listed(red)}. Fix the failure first.`]),
    ...(open.length === 0
      ? []
      : [
          `These checks have no green result: ${listed(open)}. Propose the merge again when they have passed.`,
        ]),
    ...(checks.left === 0 ? [] : ["It has more checks than Parley can read. Merge it on the forge."]),
    ...(against.length === 0
      ? []
      : [`${listed(against.map(({ author }) => author))} requested changes. Answer the review first.`]),
    ...(missing > 0
      ? [
          `${missing} required ${missing === 1 ? "approval is" : "approvals are"} missing. Ask a reviewer, then propose the merge again.`,
        ]
      : []),
    ...(standing.block === null ? [] : [standing.block]),
  ];
};

const MAX_NAMED = 5;
const MAX_NAME = 80;

/** Names are untrusted: one line of ASCII each. */
const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, MAX_NAMED).map((name) => `"${errorTextOf(name).slice(0, MAX_NAME)}"`);
  const left = names.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [`${left} more`])].join(", ");
};
