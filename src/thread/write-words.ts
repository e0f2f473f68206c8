/** What the host does itself once a person allows it, in words that people read. Pure. */

import type { Ask, Choice, Write, Wrote } from "../machine/words.ts";

/** How a surface writes what is not its own prose. */
interface Written {
  readonly code: (text: string) => string;
  readonly plain: (text: string) => string;
  readonly link: (text: string, url: string) => string;
}

/** What the host does after an answer; null where it does nothing itself. */
export const writeOf = (ask: Ask, choice: Choice): Write | null => {
  if (ask.kind === "write") return choice === "approve" ? ask.write : null;
  return ask.kind === "result" ? (DRAFT_WRITES[choice] ?? null) : null;
};

const DRAFT_WRITES: Readonly<Partial<Record<Choice, Write>>> = {
  apply: "apply_draft",
  pull_request: "open_pull_request",
  discard: "discard_draft",
};

/** What would be done, as the head of a question. */
export const WRITE_HEAD: Readonly<Record<Write, string>> = {
  open_pull_request: "Open a draft pull request",
  file_issue: "File an issue",
  comment_on_issue: "Post a comment",
  label_issue: "Change labels",
  apply_draft: "Apply this change",
  discard_draft: "Discard this change",
};

/** What would be done, after "to". */
const WRITE_TEXT: Readonly<Record<Write, string>> = {
  open_pull_request: "open the pull request",
  file_issue: "file the issue",
  comment_on_issue: "post the comment",
  label_issue: "change the labels",
  apply_draft: "apply the change",
  discard_draft: "discard the change",
};

export const wroteText = (write: Write, wrote: Wrote, { code, plain, link }: Written): string => {
  switch (wrote.kind) {
    case "done":
      return `${WROTE[write]} ${wrote.url === undefined ? code(wrote.name) : link(wrote.name, wrote.url)}.`;
    case "void":
      return `Nothing was written: ${plain(wrote.why)}`;
    case "failed":
      return `I could not ${WRITE_TEXT[write]}: ${plain(wrote.why)}`;
    case "unknown":
      return wrote.why === undefined
        ? `I was stopped while I was about to ${WRITE_TEXT[write]}: look whether it was done.`
        : `I do not know whether I could ${WRITE_TEXT[write]}: ${plain(wrote.why)} Look before you let it be done again, or it may stand there twice.`;
  }
};

const WROTE: Readonly<Record<Write, string>> = {
  open_pull_request: "Draft pull request",
  file_issue: "Filed the issue",
  comment_on_issue: "Commented on",
  label_issue: "Labeled",
  apply_draft: "Applied, on the branch",
  discard_draft: "Discarded the draft of the tree",
};
