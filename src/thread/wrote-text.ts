import type { Write, WriteOutcome } from "../machine/vocabulary.ts";
import type { Label, Sentence } from "../i18n/say.ts";
import type { Formatter } from "./formatter.ts";

export const wroteText = (
  write: Write,
  wrote: WriteOutcome,
  { code, plain, link, say }: Pick<Formatter, "code" | "plain" | "link" | "say">,
): string => {
  const what = say(WRITE_TEXT[write]);
  switch (wrote.kind) {
    case "done":
      return say(WROTE[write], {
        name: wrote.url === undefined ? code(wrote.name) : link(wrote.name, wrote.url),
      });
    case "void":
      return say("Nothing was written: {why}", { why: plain(say.stored(wrote.why)) });
    case "failed":
      return say("I could not {what}: {why}", { what, why: plain(wrote.why) });
    case "unknown":
      return wrote.why === undefined
        ? say("I was stopped while I was about to {what}. Check whether this action was done.", { what })
        : say(
            "I do not know whether I managed to {what}: {why} Check before you approve this action again, or it may be done twice.",
            { what, why: plain(wrote.why) },
          );
  }
};

const WROTE = {
  open_pull_request: "Draft pull request {name}.",
  file_issue: "Filed the issue {name}.",
  comment_on_issue: "Commented on {name}.",
  label_issue: "Labeled {name}.",
  merge_pull_request: "Merged {name}.",
  post_review: "Posted the review of {name}.",
  apply_draft: "Applied on the branch {name}.",
  discard_draft: "Discarded the draft of the tree {name}.",
  mcp_call: "Called {name}.",
  secret_command: "Ran {name} with secrets.",
} as const satisfies Readonly<Record<Write, Sentence>>;

/** The action, after "to". */
const WRITE_TEXT: Readonly<Record<Write, Label>> = {
  open_pull_request: "open the pull request",
  file_issue: "file the issue",
  comment_on_issue: "post the comment",
  label_issue: "change the labels",
  merge_pull_request: "merge the pull request",
  post_review: "post the review",
  apply_draft: "apply the change",
  discard_draft: "discard the change",
  mcp_call: "call the tool",
  secret_command: "run the command with secrets",
};
