import type { PersonId } from "../machine/id.ts";
import type { Summary } from "../machine/transcript.ts";
import type { CopyOutcome } from "../machine/vocabulary.ts";
import type { Label } from "../i18n/say.ts";
import type { Formatter, NameFormatter } from "./formatter.ts";
import type { PostBody } from "./post.ts";

/** `from`: the thread that opened this one, as a link if possible. */
export const originText = (
  opening: {
    readonly mode: string;
    readonly by: PersonId;
    readonly why: "branch" | "continuation";
  },
  from: string,
  { code, say }: NameFormatter,
): string =>
  opening.why === "branch"
    ? say("Continued from {from} in mode {mode}, opened by {by}.", {
        from,
        mode: code(opening.mode),
        by: code(opening.by),
      })
    : say(
        "Continues {from}, opened by {by}. This thread starts Restricted; earlier approvals do not apply.",
        {
          from,
          by: code(opening.by),
        },
      );

/** `head`: text above the summary, or in place of a missing summary (C18). */
export const endedText = (
  { ended, percent, by, rejected, message, next, link, carried, withheld }: PostBody & { kind: "summary" },
  { code, thread, say }: Pick<Formatter, "code" | "thread" | "say">,
): { readonly head: string; readonly foot: string } => {
  const why =
    by === null
      ? say("**This thread is full:** it uses {percent} % of the model's context window.", { percent })
      : say("**This thread ends here:** {by} continues it in a new thread.", { by: code(by) });
  const left =
    rejected.length === 0
      ? []
      : [say("Requested but not run: {calls}.", { calls: rejected.map(code).join(", ") })];
  const told = [
    say(
      message === null
        ? NO_SUMMARY[ended]
        : withheld === true
          ? "The summary is passed on but not shown here, because maintainers review answers in this channel."
          : "Here is a summary of this conversation.",
    ),
  ];
  const foot =
    next === null
      ? say(
          "I no longer read messages in this thread. The new thread starts Restricted, with no approvals carried over.",
        )
      : [
          say("Continued here: {thread}", { thread: thread(next, link) }),
          ...(carried === undefined ? [] : [say(CARRIED[carried])]),
        ].join(" ");
  return { head: [why, ...left, ...told].join(" "), foot };
};

const CARRIED: Readonly<Record<CopyOutcome, Label>> = {
  same: "The new thread works on the same commit.",
  copied: "The new thread has a copy of this checkout, including uncommitted changes.",
  left: "The new thread works on the same commit. The changes made here could not be copied, and remain in this thread.",
};

const NO_SUMMARY: Readonly<Record<Summary["ended"], Label>> = {
  summarized: "The summary was erased.",
  failed:
    "Context limit reached. The continuation summary could not be generated. Please start a new conversation.",
  cancelled: "Continuation cancelled by user.",
};
