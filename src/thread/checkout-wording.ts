/** Words of the host about a checkout: its repository's set-up, and what stands again after a rest. Pure. */

import type { PutBack, SetUp } from "../machine/words.ts";
import type { Marks } from "./marks.ts";
import type { Status } from "./post.ts";

export const setUpText = (setUp: SetUp, { code, plain }: Pick<Marks, "code" | "plain">): string => {
  switch (setUp.kind) {
    case "began":
      return "The repository's set-up (`PARLEY_SETUP`) is running in the background. What it installs is missing here until it has ended.";
    case "ready":
      return setUp.late
        ? `The set-up has ended after ${setUp.seconds} s. This thread's checkout is older and goes without what was installed; new threads have it.`
        : `The set-up has ended after ${setUp.seconds} s: what it installed is here, and needs no network.`;
    case "failed":
      return [
        `The repository's set-up (\`PARLEY_SETUP\`) did not work, and this thread goes on without it: ${plain(setUp.why)}`,
        ...(setUp.output === undefined ? [] : ["It wrote last:", ...setUp.output.map(code)]),
        ...(setUp.log === undefined
          ? []
          : [`All that it wrote is on Parley's machine, in ${code(setUp.log)}.`]),
      ].join("\n");
  }
};

export const putBackText = (putBack: PutBack, code: Marks["code"]): string => {
  const rested = `This thread rested for ${putBack.days === 1 ? "a day" : `${putBack.days} days`}`;
  switch (putBack.kind) {
    case "whole":
      return `${rested}. Its checkout was put back with its commits and its uncommitted work; what git ignores, such as installed dependencies, is gone and has to be made again.`;
    case "fresh":
      return `${rested}, and what was kept of its changes is damaged: this is a fresh checkout of its commit, **without what was changed here**. The damaged archive was kept for whoever runs Parley: ${code(putBack.kept)} in the data directory.`;
    case "beside":
      return `${rested}, and another checkout was made here meanwhile: that one stays. **What was changed before** was kept for whoever runs Parley: ${code(putBack.kept)} in the data directory.`;
  }
};

/** Behind what else is being done, where a set-up runs meanwhile. */
export const setUpStatusText = ({ setUp }: Pick<Status, "setUp">, code: Marks["code"]): string => {
  if (setUp === undefined) return "";
  return ` · set-up for ${setUp.seconds} s${setUp.line === "" ? "" : `: ${code(setUp.line)}`}`;
};
