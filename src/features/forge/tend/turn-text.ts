/** The message that begins a turn about a pull request. Logs and remarks are quoted as untrusted content. Pure. */

import type { Millis } from "../../../machine/id.ts";
import type { Speaker } from "../../../machine/vocabulary.ts";
import type { Message } from "../../../ports/claims.ts";
import { compose, NOTHING } from "../../../runtime/chat/compose.ts";
import type { TendCause, TendedPull } from "./bounds.ts";
import type { ForgeFacts } from "./forge-facts.ts";

/** Maximum number of quoted characters of one check's log, and of one remark. */
const MAX_LOG = 4_000;
const MAX_REMARK = 4_000;
const MAX_CHECKS = 5;

/** The speaker has no rights. The prefix of watches marks turns that no person began (D45). */
export const tendSpeaker = ({ id }: Pick<TendedPull, "id">): Speaker => ({
  id: `watch:pull-${id}`,
  name: "pull request",
  mayDrive: false,
  mayApprove: false,
});

export const tendMessage = (
  pull: Pick<TendedPull, "name" | "branch">,
  cause: TendCause,
  { failed, texts }: Pick<ForgeFacts, "failed" | "texts">,
  at: Millis,
): Message => {
  const checks = cause.checks ? failed.slice(0, MAX_CHECKS) : [];
  const remarks = texts.filter(({ id }) => cause.remarks.includes(id));
  const shown = [
    ...checks.map(({ name, state, log }) => ({
      author: "check",
      text: `${name}: ${state}\n${(log ?? "").slice(-MAX_LOG)}`,
      at,
    })),
    ...remarks.map(({ id, author, on, text, at: said }) => ({
      author,
      text: `comment ${id} on ${on}\n${text.slice(0, MAX_REMARK)}`,
      at: said,
    })),
  ];
  const tasks = [...(checks.length > 0 ? [CHECKS] : []), ...(remarks.length > 0 ? [REMARKS] : [])];
  const remark = `This message came by itself: an approver has you look after ${pull.name}. Only the branch ${pull.branch} can be pushed to, and only through propose.`;
  return {
    ...compose(`${tasks.join(" ")} ${PUSH}`, { ...NOTHING, shown, remarks: [remark] }),
    images: [],
    quoted: { messages: 0, previews: 0, files: 0, pictures: 0, events: shown.length },
  };
};

const CHECKS = "Checks of the pull request failed; they are quoted above. Find the cause and fix the cause.";
const REMARKS =
  "People commented on the pull request; the comments are quoted above. Make the changes that are right. Answer each comment with answer_review, in two sentences at most.";
const PUSH =
  "Make a change in the draft, test the change, and call propose with a test command. The host pushes what the approval covers, or asks people. If nothing is to be changed, say why.";
