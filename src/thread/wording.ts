/** Words of the host that every surface uses: buttons, decisions, notices. Pure; a surface brings its own marks. */

import type { AgentHow } from "../machine/agent.ts";
import { percentUsed } from "../machine/context.ts";
import type { Millis, PersonId } from "../machine/id.ts";
import { failedText } from "../machine/retry.ts";
import type { Notice, Summary } from "../machine/transcript.ts";
import type { Ask, Carriage, Choice, Request, Write, Wrote } from "../machine/words.ts";
import { ageText } from "./age.ts";
import type { Action, OwnAction, PostBody } from "./post.ts";
import type { Cover } from "./question.ts";
import { putBackText, setUpText } from "./checkout-wording.ts";
import type { Marks } from "./marks.ts";

export const CHOICE_LABELS: Readonly<Record<Choice, string>> = {
  approve: "Approve",
  deny: "Deny",
  once: "Once",
  session: "This thread",
  stay: "Stay",
  switch: "Switch",
  branch: "Switch in a new thread",
  apply: "Apply",
  pull_request: "Open a draft pull request",
  changes: "Ask for changes",
  discard: "Discard",
  send: "Send",
  edit: "Edit and send",
};

export const batchLabel = (commits: number): string =>
  commits === 1 ? "Apply the first commit" : `Apply the first ${commits}`;

/** What the buttons say that stand below no question. */
const ACTION_LABELS: Readonly<Record<OwnAction, string>> = {
  retry: "Try again",
  retry_other: "Try with another model",
  stop: "Stop",
  continue: "Continue in a new thread",
  ask_again: "Ask again",
  with_summary: "Continue with this summary",
  new_empty: "Start empty",
};

/** One that lets a dear turn begin says so. */
export const actionLabel = (action: OwnAction, body: PostBody): string => {
  if (action === "retry" && noticesIn(body).some(isCostly)) return "Go on";
  if (action === "retry" && noticesIn(body).some(({ kind }) => kind === "reused")) return "Ask anew";
  const [other] = action === "retry_other" ? noticesIn(body).flatMap(otherOf) : [];
  return other === undefined ? ACTION_LABELS[action] : `Try with ${other.slice(0, MAX_NAME)}`;
};

/** UTF-16 code units of a model's name that a button has room for. */
const MAX_NAME = 60;

const otherOf = (notice: Notice): readonly string[] =>
  notice.kind === "failed" && notice.other !== undefined ? [notice.other] : [];

const noticesIn = (body: PostBody): readonly Notice[] => {
  if (body.kind === "notice") return [body.notice];
  return body.kind === "turn" ? body.notices : [];
};

const isCostly = (notice: Notice): boolean => notice.kind === "failed" && notice.failure.kind === "costly";

export const isOwnAction = (action: Action): action is OwnAction => Object.hasOwn(ACTION_LABELS, action);

/** Before "by PERSON". */
export const DECIDED: Readonly<Record<Choice, string>> = {
  approve: "Approved",
  deny: "Denied",
  once: "Allowed once",
  session: "Allowed for this thread",
  stay: "Declined",
  switch: "Switched",
  branch: "Switched in a new thread",
  apply: "Approved",
  pull_request: "Approved as a pull request",
  changes: "Changes requested",
  discard: "Discarded",
  send: "Sent",
  edit: "Edited and sent",
};

/** What the host does after an answer; null where it does nothing itself. */
export const writeOf = (ask: Ask, choice: Choice): Write | null => {
  if (ask.kind === "write") return choice === "deny" ? null : ask.write;
  return ask.kind === "result" ? (DRAFT_WRITES[choice] ?? null) : null;
};

const DRAFT_WRITES: Readonly<Partial<Record<Choice, Write>>> = {
  apply: "apply_draft",
  pull_request: "open_pull_request",
  discard: "discard_draft",
};

/** What a sub-agent came to, behind its number or its task. */
export const AGENT_OUTCOMES: Readonly<Record<AgentHow, string>> = {
  submitted: "finished",
  answered: "finished",
  gaveUp: "gave up",
  failed: "failed",
  turns: "turn limit reached before result submission",
  time: "time limit reached before result submission",
  context: "context exhausted before result submission",
  stopped: "stopped",
  interrupted: "interrupted by restart",
};

/** What would be done, as the head of a question. */
const WRITE_HEAD: Readonly<Record<Write, string>> = {
  open_pull_request: "Open a draft pull request",
  file_issue: "File an issue",
  comment_on_issue: "Post a comment",
  label_issue: "Change labels",
  apply_draft: "Apply this change",
  discard_draft: "Discard this change",
  mcp_call: "Call a tool that writes",
};

/** What would be done, after "to". */
const WRITE_TEXT: Readonly<Record<Write, string>> = {
  open_pull_request: "open the pull request",
  file_issue: "file the issue",
  comment_on_issue: "post the comment",
  label_issue: "change the labels",
  apply_draft: "apply the change",
  discard_draft: "discard the change",
  mcp_call: "call the tool",
};

/** What a question is about: its head, without a question mark. */
export const askHead = (ask: Ask, { code }: Pick<Marks, "code">): string => {
  switch (ask.kind) {
    case "upgrade":
      return ask.on === undefined
        ? "Write access for this thread"
        : `Write access to ${code(ask.on)} for this thread`;
    case "danger":
      return "Run this command";
    case "mode":
      return `Switch to the work mode ${code(ask.mode)}`;
    case "write":
      return ask.scope === undefined ? WRITE_HEAD[ask.write] : `Call ${code(ask.scope)}`;
    case "result":
      return WRITE_HEAD.apply_draft;
    case "answer":
      return "Send this answer";
  }
};

/** What a question is about, one sentence. */
export const askText = (ask: Ask, marks: Pick<Marks, "code">): string => `${askHead(ask, marks)}?`;

/** Of who asks without the right to have anything changed (D39). */
export const requestText = (ask: Ask): string | null =>
  ask.kind === "upgrade" && ask.from?.how === "request"
    ? "Whoever asked may not have anything changed here. Whoever approves takes this request on, and the rest of this turn works for them."
    : null;

/** What an approval of the upgrade gives, true for the conversation and the host. */
export const coverText = ({ refused, confined, network }: Cover = USUAL): string => {
  if (refused !== null) return `An approval would give nothing. ${refused}`;
  return confined
    ? `Parley could then change files in its own copy${NETWORK[network]}, until somebody restricts this thread again. It still cannot read this host's secrets or other threads.`
    : "Parley could then change anything on this host, because its kernel does not confine what runs, until somebody restricts this thread again.";
};

const USUAL: Cover = { refused: null, confined: true, network: "asked" };

const NETWORK: Readonly<Record<Cover["network"], string>> = {
  none: ", without a network",
  asked: ", and would ask separately before it uses the network",
  open: " and use the network, as far as the operator allows",
};

export const noticeText = (notice: Notice, { code, plain, thread, link }: Marks): string => {
  switch (notice.kind) {
    case "stopped":
      return `${stoppedText(notice, code)}${notice.skipped === 0 ? "" : ` ${steps(notice.skipped)} left out.`}`;
    case "interrupted":
      return "I was restarted while working on this. Nothing is run again by itself.";
    case "failed":
      return plain(failedText(notice));
    case "permission":
      return notice.to === "unrestricted"
        ? `Write access${notice.on === undefined ? "" : ` to ${code(notice.on)}`} approved by ${code(notice.by)}: this thread is Unrestricted.`
        : `Restricted again, set by ${code(notice.by)}.`;
    case "mode":
      return `Work mode ${code(notice.to)} instead of ${code(notice.from)}, set by ${code(notice.by)}.`;
    case "fellBack":
      return `${code(notice.to)} answers this time instead of ${code(notice.from)}. ${plain(notice.failure.message)}`;
    case "model":
      return `${code(notice.to)} answers from here on instead of ${code(notice.from)}, set by ${code(notice.by)}.`;
    case "safeMode":
      return notice.on
        ? `Safe mode is on, set by ${code(notice.by)}: I ask before I run something dangerous.`
        : `Safe mode is off, set by ${code(notice.by)}: I ask before nothing, and everything is logged.`;
    case "grants":
      return `Allowed for this thread by ${code(notice.by)}: ${notice.categories.map(code).join(", ")}.`;
    case "paused":
      return notice.over === true
        ? "Several requests were denied, so I stopped asking for a while. I ask again now."
        : "Several requests were denied today. I will not ask again before tomorrow, unless somebody approves something or uses *Ask again*.";
    case "notAsked":
      return "host" in notice.why
        ? `I asked nobody for write access, because an approval would give nothing. ${plain(notice.why.host)}`
        : NOT_REQUESTED[notice.why.request](code(notice.why.by));
    case "branched":
      return notice.to === null
        ? `The new thread in mode ${code(notice.mode)} could not be opened${notice.why === undefined ? "" : ` (${plain(notice.why)})`}. The mode is set here; ask again to try once more.`
        : `Goes on in mode ${code(notice.mode)} here: ${thread(notice.to, notice.link)}`;
    case "wrote":
      return `${wroteText(notice.write, notice.wrote, { code, plain, link })} Approved by ${code(notice.by)}.`;
    case "setUp":
      return setUpText(notice.setUp, { code, plain });
    case "putBack":
      return putBackText(notice.putBack, code);
    case "context":
      return `This thread is ${percentUsed(notice)} % full. Continue in a new thread for what comes next: everything said here is read again with every answer, and at 90 % this thread ends with a summary.`;
    case "notContinued":
      return `The new thread could not be opened${notice.why === undefined ? "" : ` (${plain(notice.why)})`}. Use the buttons below the summary to try again.`;
    case "reused":
      return `Answered before, ${ageText(notice.age)}, in ${notice.link === undefined ? thread(notice.from) : link("another thread", notice.link)}. What it cites still holds. *Ask anew* looks again.`;
    case "empty":
      return "I have no answer to this: the model stopped without one. Ask again, or tell me more.";
    case "refused":
      return "The model declined to answer this. Another wording may help, or a new thread.";
    case "unseen":
      return notice.why === "late"
        ? `Nobody has looked at the answer for ${notice.days === 1 ? "a day" : `${notice.days} days`}. It is still kept for a maintainer; remind one of them, or *stop* it and ask again.`
        : "Nobody can look at the answer now: I do not reach the channel of the maintainers. Whoever runs me is told, and the answer is kept; a maintainer can point me to another channel with `/parley review on`.";
    case "cut":
      return "This answer was too long and stops here. Write *go on* for the rest.";
  }
};

const REPEAT = "Somebody who may approve can ask me for the change here.";

const NOT_REQUESTED: Readonly<Record<Exclude<Request, "allowed">, (who: string) => string>> = {
  off: (who) => `${who} may not have anything changed here, so I asked nobody. ${REPEAT}`,
  open: (who) =>
    `Another request of ${who} still waits for an answer, so I did not put this one before anybody. Once that is answered, ask again. ${REPEAT}`,
  often: (who) =>
    `This channel had three requests within an hour, so I did not put the one of ${who} before anybody. Ask again later. ${REPEAT}`,
};

/** First words of a thread that was opened out of another one; `from` is that one as a link, where there is one. */
export const originText = (
  opening: {
    readonly mode: string;
    readonly by: PersonId;
    readonly why: "branch" | "continuation";
  },
  from: string,
  { code }: Pick<Marks, "code">,
): string =>
  opening.why === "branch"
    ? `Goes on from ${from} in mode ${code(opening.mode)}, opened by ${code(opening.by)}.`
    : `Continues ${from}, opened by ${code(opening.by)}. It starts Restricted, with no grants.`;

/** What stands above the summary, or instead of one (C18), and where it goes on. */
export const endedText = (
  { ended, percent, by, rejected, message, next, link, carried, withheld }: PostBody & { kind: "summary" },
  { code, thread }: Pick<Marks, "code" | "thread">,
): { readonly head: string; readonly foot: string } => {
  const why =
    by === null
      ? `**This thread is full:** ${percent} % of what the model can keep in mind.`
      : `**This thread ends here:** ${code(by)} continues it in a new one.`;
  const left = rejected.length === 0 ? [] : [`Asked for and not run: ${rejected.map(code).join(", ")}.`];
  const told =
    message === null
      ? [NO_SUMMARY[ended]]
      : withheld === true
        ? ["Its summary goes along and is not shown, because a maintainer looks at answers here first."]
        : ["Here is where things stand."];
  const foot =
    next === null
      ? "I take no more messages here. The new thread starts Restricted, with nothing allowed in advance."
      : `Goes on here: ${thread(next, link)}${carried === undefined ? "" : ` ${CARRIED[carried]}`}`;
  return { head: [why, ...left, ...told].join(" "), foot };
};

const CARRIED: Readonly<Record<Carriage, string>> = {
  same: "It works on the same commit.",
  copied: "The checkout went along, with what was not committed.",
  left: "It works on the same commit; what was changed here could not be taken along, and stays here.",
};

const NO_SUMMARY: Readonly<Record<Summary["ended"], string>> = {
  summarized: "The summary was erased.",
  failed:
    "Context limit reached. The continuation summary could not be generated. Please start a new conversation.",
  cancelled: "Continuation cancelled by user.",
};

/** A write that was approved did not happen, or nobody knows. */
const isNotDone = (notice: Notice): boolean => notice.kind === "wrote" && notice.wrote.kind !== "done";

export const wroteText = (
  write: Write,
  wrote: Wrote,
  { code, plain, link }: Pick<Marks, "code" | "plain" | "link">,
): string => {
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
  apply_draft: "Applied on the branch",
  discard_draft: "Discarded the draft of the tree",
  mcp_call: "Called",
};

/** Something went otherwise than people expect: on every surface the notice stands out. */
export const isWarning = (notice: Notice): boolean =>
  WARNINGS.has(notice.kind) || isNotDone(notice) || goesWithout(notice);

const WARNINGS: ReadonlySet<Notice["kind"]> = new Set([
  "interrupted",
  "failed",
  "paused",
  "notAsked",
  "context",
  "notContinued",
  "unseen",
  "empty",
  "refused",
  "cut",
]);

/** People are told because they have to do without something. */
const goesWithout = (notice: Notice): boolean =>
  (notice.kind === "setUp" && notice.setUp.kind === "failed") ||
  (notice.kind === "putBack" && notice.putBack.kind !== "whole");

export const stoppedText = (
  { by, why }: Pick<Notice & { kind: "stopped" }, "by" | "why">,
  code: Marks["code"],
): string => {
  if (why === undefined) return `Stopped by ${code(by)}.`;
  switch (why) {
    case "erased":
      return "Stopped: a message that I worked with was deleted, and is forgotten here too.";
    case "barred":
      return "Stopped: whoever asked for this may not write here any more.";
    case "time":
      return "Stopped: the time for it is over.";
  }
};

const steps = (count: number): string => (count === 1 ? "1 step was" : `${count} steps were`);

/** Below what others read, where `count` values in it are masked. */
export const maskedText = (count: number): string =>
  count === 1
    ? "1 secret masked: it was in the repository or in what was said here. Revoke it."
    : `${count} secrets masked: they were in the repository or in what was said here. Revoke them.`;

/** Two units at most: `0.2 s`, `12 s`, `1 min 10 s`, `2 h 5 min`, `3 d`; never `0.0 s`. */
export const durationText = (duration: Millis): string => {
  if (duration < 1_000) return `${Math.max(0.1, duration / 1_000).toFixed(1)} s`;
  const seconds = Math.round(duration / 1_000);
  const units = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  return units
    .slice(first, first + 2)
    .flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`]))
    .join(" ");
};
