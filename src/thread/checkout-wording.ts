import type { CheckoutRestored, Setup } from "../machine/vocabulary.ts";
import type { Formatter, NameFormatter } from "./formatter.ts";

export const setupText = (
  setUp: Setup,
  { code, plain, say }: Pick<Formatter, "code" | "plain" | "say">,
): string => {
  switch (setUp.kind) {
    case "began":
      return say(
        "The repository's setup (`.parley/setup.sh`) is running in the background. The files it installs are missing until it has finished.",
      );
    case "ready":
      return say(
        setUp.late
          ? "Setup finished after {seconds} s. This thread's checkout is older and does not have the installed files; new threads have them."
          : "Setup finished after {seconds} s. The installed files are available here without a network.",
        { seconds: setUp.seconds },
      );
    case "failed":
      return [
        say(
          "The repository's setup (`.parley/setup.sh`) failed, and this thread continues without it: {why}",
          {
            why: plain(setUp.why),
          },
        ),
        ...(setUp.output === undefined ? [] : [say("Last output:"), ...setUp.output.map(code)]),
        ...(setUp.log === undefined
          ? []
          : [say("The complete output is on Parley's machine, in {log}.", { log: code(setUp.log) })]),
      ].join("\n");
  }
};

export const putBackText = (putBack: CheckoutRestored, { code, say }: NameFormatter): string => {
  const { days } = putBack;
  const rested =
    days === 1
      ? say("This thread was inactive for a day")
      : say("This thread was inactive for {days} days", { days });
  switch (putBack.kind) {
    case "whole":
      if (putBack.moved === true)
        return say(
          "Another host has taken over this thread. The thread's checkout was restored to its state after the last turn that changed files. Files that git ignores, and files that a command was writing during the takeover, are gone and have to be created again.",
        );
      return say(
        "{rested}. The thread's checkout was restored with its commits and uncommitted work. Files that git ignores, such as installed dependencies, are gone and have to be created again.",
        { rested },
      );
    case "fresh":
      return say(
        "{rested}, and the stored changes are damaged: the thread now has a fresh checkout of its commit, **without the changes made here**. The damaged archive was kept for the operator: {kept} in the data directory.",
        { rested, kept: code(putBack.kept) },
      );
  }
};
