/** Texts about a checkout: its repository's setup, and its restoration. Pure. */

import type { CheckoutRestored, Setup } from "../machine/words.ts";
import type { Formatter, NameFormatter } from "./marks.ts";

export const setupText = (
  setUp: Setup,
  { code, plain, say }: Pick<Formatter, "code" | "plain" | "say">,
): string => {
  switch (setUp.kind) {
    case "began":
      return say(
        "The repository's set-up (`.parley/setup.sh`) is running in the background. What it installs is missing here until it has ended.",
      );
    case "ready":
      return say(
        setUp.late
          ? "The set-up has ended after {seconds} s. This thread's checkout is older and goes without what was installed; new threads have it."
          : "The set-up has ended after {seconds} s: what it installed is here, and needs no network.",
        { seconds: setUp.seconds },
      );
    case "failed":
      return [
        say(
          "The repository's set-up (`.parley/setup.sh`) did not work, and this thread goes on without it: {why}",
          { why: plain(setUp.why) },
        ),
        ...(setUp.output === undefined ? [] : [say("It wrote last:"), ...setUp.output.map(code)]),
        ...(setUp.log === undefined
          ? []
          : [say("All that it wrote is on Parley's machine, in {log}.", { log: code(setUp.log) })]),
      ].join("\n");
  }
};

export const putBackText = (putBack: CheckoutRestored, { code, say }: NameFormatter): string => {
  const { days } = putBack;
  const rested =
    days === 1 ? say("This thread rested for a day") : say("This thread rested for {days} days", { days });
  switch (putBack.kind) {
    case "whole":
      if (putBack.moved === true)
        return say(
          "Another host has taken this thread over. Its checkout is as it was after the last turn that changed it; what git ignores, such as installed dependencies, and what a command was writing just then are gone and have to be made again.",
        );
      return say(
        "{rested}. Its checkout was put back with its commits and its uncommitted work; what git ignores, such as installed dependencies, is gone and has to be made again.",
        { rested },
      );
    case "fresh":
      return say(
        "{rested}, and what was kept of its changes is damaged: this is a fresh checkout of its commit, **without what was changed here**. The damaged archive was kept for whoever runs Parley: {kept} in the data directory.",
        { rested, kept: code(putBack.kept) },
      );
  }
};
