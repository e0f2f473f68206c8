import type { Millis } from "../machine/id.ts";
import type { AgentHow } from "../machine/agent.ts";
import { percentUsed } from "../machine/context.ts";
import type { Notice } from "../machine/transcript.ts";
import type { QuestionSpec, Choice, Request, Write, EarlierAnswer } from "../machine/vocabulary.ts";
import type { Action, OwnAction, PostBody } from "./post.ts";
import { ageText } from "./durations.ts";
import { putBackText, setupText } from "./checkout-wording.ts";
import { replyLabel } from "./person-question.ts";
import { wroteText } from "./wrote-text.ts";
import type { Formatter, NameFormatter } from "./formatter.ts";
import { failureText } from "./failure-text.ts";
import type { Label, Say, Sentence } from "../i18n/say.ts";

export const CHOICE_LABELS: Readonly<Record<Choice, Label>> = {
  approve: "Approve",
  request_changes: "Request changes",
  leave_out: "Remove",
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
  choose: "Choose",
  reply: "Answer",
};

export const choiceLabel = (choice: Choice, ask: QuestionSpec | undefined, say: Say): string => {
  if (choice === "approve" && ask?.kind === "write" && ask.review !== undefined)
    return say("Post the review");
  return choice === "reply" && ask?.kind === "person" ? replyLabel(ask, say) : say(CHOICE_LABELS[choice]);
};

export const batchLabel = (commits: number, say: Say): string =>
  commits === 1 ? say("Apply the first commit") : say("Apply the first {commits}", { commits });

export const leaveOutLabel = (comment: number, say: Say): string => say("Remove {comment}", { comment });

export const ACTION_LABELS: Readonly<Record<OwnAction, Label>> = {
  retry: "Try again",
  retry_other: "Try with another model",
  stop: "Stop",
  continue: "Continue in a new thread",
  ask_again: "Ask again",
  with_summary: "Continue with this summary",
  new_empty: "Start empty",
};

export const actionLabel = (action: OwnAction, body: PostBody, say: Say): string => {
  if (action === "retry" && noticesIn(body).some(isCostly)) return say("Go on");
  if (action === "retry" && noticesIn(body).some(({ kind }) => kind === "reused"))
    return say("Ask again from scratch");
  const [other] = action === "retry_other" ? noticesIn(body).flatMap(otherOf) : [];
  return other === undefined
    ? say(ACTION_LABELS[action])
    : say("Try with {model}", { model: other.slice(0, MAX_NAME) });
};

/** UTF-16 code units that fit on a button. */
const MAX_NAME = 60;

const otherOf = (notice: Notice): readonly string[] =>
  notice.kind === "failed" && notice.other !== undefined ? [notice.other] : [];

const noticesIn = (body: PostBody): readonly Notice[] => {
  if (body.kind === "notice") return [body.notice];
  return body.kind === "turn" ? body.notices : [];
};

const isCostly = (notice: Notice): boolean => notice.kind === "failed" && notice.failure.kind === "costly";

export const isOwnAction = (action: Action): action is OwnAction => Object.hasOwn(ACTION_LABELS, action);

/** Used before "by PERSON", and after the question. */
export const DECISION_LABELS: Readonly<Record<Choice, Label>> = {
  approve: "approved",
  request_changes: "approved, with a request for changes",
  leave_out: "removed",
  deny: "denied",
  once: "allowed once",
  session: "allowed for this thread",
  stay: "declined",
  switch: "switched",
  branch: "switched in a new thread",
  apply: "approved",
  pull_request: "approved as a pull request",
  changes: "changes requested",
  discard: "discarded",
  send: "sent",
  edit: "edited and sent",
  choose: "answered",
  reply: "answered",
};

/** Subject of a question, in the middle of a sentence. */
export const QUESTION_SUBJECTS: Readonly<Record<QuestionSpec["kind"], Label>> = {
  upgrade: "write access",
  danger: "a call that safe mode holds",
  mode: "another work mode",
  write: "a write to the forge",
  result: "a finished change",
  answer: "an answer",
  person: "a question from the agent",
};

export const verdictText = (
  { choice, by }: { readonly choice: Choice; readonly by: string },
  { code, say }: NameFormatter,
): string => capitalize(say("{decided} by {by}.", { decided: say(DECISION_LABELS[choice]), by: code(by) }));

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export const writeOf = (ask: QuestionSpec, choice: Choice): Write | null => {
  if (ask.kind === "write") return choice === "deny" ? null : ask.write;
  return ask.kind === "result" ? (DRAFT_WRITES[choice] ?? null) : null;
};

const DRAFT_WRITES: Readonly<Partial<Record<Choice, Write>>> = {
  apply: "apply_draft",
  pull_request: "open_pull_request",
  discard: "discard_draft",
};

/** Used after a sub-agent's number or task. */
export const AGENT_OUTCOMES: Readonly<Record<AgentHow, Label>> = {
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

const WRITE_HEAD: Readonly<Record<Write, Label>> = {
  open_pull_request: "Open a draft pull request",
  file_issue: "File an issue",
  comment_on_issue: "Post a comment",
  label_issue: "Change labels",
  merge_pull_request: "Merge the pull request",
  post_review: "Post a review",
  apply_draft: "Apply this change",
  discard_draft: "Discard this change",
  mcp_call: "Call a tool that writes",
  secret_command: "Run a command with secrets in the draft",
};

/** Without the question mark. */
export const askHead = (ask: QuestionSpec, { code, say }: NameFormatter): string => {
  switch (ask.kind) {
    case "upgrade":
      return ask.on === undefined
        ? say("Write access for this thread")
        : say("Write access to {repo} for this thread", { repo: code(ask.on) });
    case "danger":
      return say("Run this command");
    case "mode":
      return say("Switch to the work mode {mode}", { mode: code(ask.mode) });
    case "write":
      return ask.scope === undefined
        ? say(WRITE_HEAD[ask.write])
        : say("Call {tool}", { tool: code(ask.scope) });
    case "result":
      return say(WRITE_HEAD.apply_draft);
    case "answer":
      return say("Send this answer");
    case "person":
      return say("A question from the agent");
  }
};

export const askText = (ask: QuestionSpec, marks: NameFormatter): string => {
  const question = askHead(ask, marks);
  return ask.kind === "person" ? question : marks.say("{question}?", { question });
};

export const requestText = (ask: QuestionSpec, say: Say): string | null =>
  ask.kind === "upgrade" && ask.from?.how === "request"
    ? say(
        "The person who asked has no write permission here. If you approve, the rest of this turn runs in your name, with your permissions.",
      )
    : null;

export const noticeText = (notice: Notice, marks: Formatter): string => {
  const { say, code, plain, thread } = marks;
  switch (notice.kind) {
    case "stopped":
      return [stoppedText(notice, marks), ...leftOut(notice.skipped, say)].join(" ");
    case "interrupted":
      return say("I was restarted while working on this turn. I will not re-run anything on my own.");
    case "unread":
      return notice.by.length === 1
        ? say(
            "The turn ended before I read the message that {by} added. My next answer takes it into account.",
            {
              by: code(notice.by[0] ?? ""),
            },
          )
        : say(
            "The turn ended before I read the messages that {by} added. My next answer takes them into account.",
            {
              by: notice.by.map(code).join(", "),
            },
          );
    case "failed":
      return plain(failedText(notice, say));
    case "permission": {
      const by = code(notice.by);
      if (notice.to !== "unrestricted") return say("{by} set this thread back to Restricted.", { by });
      return notice.on === undefined
        ? say("{by} approved write access: this thread is now Unrestricted.", { by })
        : say("{by} approved write access to {repo}: this thread is now Unrestricted.", {
            repo: code(notice.on),
            by,
          });
    }
    case "mode":
      return say("{by} changed the work mode from {from} to {to}.", changeIn(notice, code));
    case "fellBack":
      return say("{to} answered this time instead of {from}. {why}", {
        to: code(notice.to),
        from: code(notice.from),
        why: plain(notice.failure.message),
      });
    case "model":
      return say("{by} changed the model from {from} to {to}.", changeIn(notice, code));
    case "safeMode":
      return say(
        notice.on
          ? "{by} turned safe mode on: I ask before I run anything dangerous."
          : "{by} turned safe mode off: I no longer ask before dangerous commands. Everything is logged.",
        { by: code(notice.by) },
      );
    case "grants":
      return say("Allowed for this thread by {by}: {what}.", {
        by: code(notice.by),
        what: notice.categories.map(code).join(", "),
      });
    case "paused":
      return say(
        notice.over === true
          ? "I had stopped asking for a while, because several requests were denied. I ask again from now on."
          : "Several requests were denied today. I will not ask again until tomorrow, unless an approver approves something or uses *Ask again*.",
      );
    case "notAsked":
      return "host" in notice.why
        ? say("I did not ask for write access, because approving it would have no effect. {why}", {
            why: plain(notice.why.host),
          })
        : `${say(NOT_REQUESTED[notice.why.request], { who: code(notice.why.by) })} ${say("An approver can ask me for the change here.")}`;
    case "branched":
      return notice.to === null
        ? say(
            "The new thread in mode {mode} could not be opened{why}. The mode is set in this thread. Ask the agent to try once more.",
            { mode: code(notice.mode), why: because(notice.why, plain) },
          )
        : say("Continued in mode {mode}: {thread}", {
            mode: code(notice.mode),
            thread: thread(notice.to, notice.link),
          });
    case "wrote":
      return `${wroteText(notice.write, notice.wrote, marks)} ${say("Approved by {by}.", { by: code(notice.by) })}`;
    case "setUp":
      return setupText(notice.setUp, marks);
    case "putBack":
      return putBackText(notice.putBack, marks);
    case "context":
      return say(
        "This thread is {percent} % full. Continue in a new thread for your next question: the model rereads this whole thread for every answer, and at 90 % this thread ends with a summary.",
        { percent: percentUsed(notice) },
      );
    case "notContinued":
      return say("The new thread could not be opened{why}. Use the buttons below the summary to try again.", {
        why: because(notice.why, plain),
      });
    case "reused":
      return say(
        "This question was answered {age} in {thread}, and the citations of that answer are still correct. Use *Ask again from scratch* for a fresh answer.",
        {
          age: ageText(notice.age, say),
          thread:
            notice.link === undefined ? thread(notice.from) : marks.link(say("another thread"), notice.link),
        },
      );
    case "empty":
      return say("The model stopped without an answer. Try again, or add more detail.");
    case "refused":
      return say(
        "The model declined to answer. From now on it no longer reads this message and this turn, so the thread can continue. Try different wording or a new thread.",
      );
    case "noCall":
      return say("The model announced a tool call, but the call never arrived. Nothing was run. Ask again.");
    case "unseen":
      if (notice.why !== "late")
        return say(
          "I can't post to the maintainers' channel, so nobody can review this answer yet. The answer is kept and the operator has been notified. A maintainer can set another channel with `/parley review on`.",
        );
      return notice.days === 1
        ? say(
            "No maintainer has reviewed this answer for a day. The answer is still waiting; remind a maintainer, or *stop* it and ask again.",
          )
        : say(
            "No maintainer has reviewed this answer for {days} days. The answer is still waiting; remind a maintainer, or *stop* it and ask again.",
            { days: notice.days },
          );
    case "cut":
      return say("This answer reached the length limit. Reply *go on* for the rest.");
  }
};

export const earlierText = (
  earlier: readonly EarlierAnswer[],
  at: Millis,
  { link, say }: Formatter,
): string =>
  say("Asked before: {links}", {
    links: earlier.map((one) => link(ageText(Math.max(0, at - one.at), say), one.link)).join(", "),
  });

const leftOut = (count: number, say: Say): readonly string[] => {
  if (count === 0) return [];
  return [count === 1 ? say("1 step was left out.") : say("{count} steps were left out.", { count })];
};

const failedText = ({ failure, attempts }: Notice & { readonly kind: "failed" }, say: Say): string =>
  attempts > 1
    ? say("Failed after {attempts} attempts: {why}", { attempts, why: failureText(failure, say) })
    : failureText(failure, say);

const changeIn = ({ to, from, by }: Change, code: Formatter["code"]): Change => ({
  to: code(to),
  from: code(from),
  by: code(by),
});

interface Change {
  readonly to: string;
  readonly from: string;
  readonly by: string;
}

export const because = (why: string | undefined, plain: Formatter["plain"]): string =>
  why === undefined ? "" : ` (${plain(why)})`;

const NOT_REQUESTED = {
  off: "{who} has no write permission here, so I did not ask for approval.",
  open: "{who} already has a request waiting for approval, so I did not ask again. Try again after that request is decided.",
  often:
    "This channel has had three requests in the past hour, so I did not ask for approval for {who}. Try again later.",
} as const satisfies Readonly<Record<Exclude<Request, "allowed">, Sentence>>;

export const stoppedText = (
  { by, why }: Pick<Notice & { kind: "stopped" }, "by" | "why">,
  { code, say }: NameFormatter,
): string => {
  if (why === undefined) return say("Stopped by {by}.", { by: code(by) });
  switch (why) {
    case "erased":
      return say("Stopped: a message that I was using was deleted, so I have deleted my copy too.");
    case "barred":
      return say("Stopped: the person who asked can no longer write here.");
    case "time":
      return say("Stopped: the time limit was reached.");
  }
};

export const maskedText = (count: number, say: Say): string =>
  count === 1
    ? say("1 secret masked. Revoke this secret: it was in the repository or in this conversation.")
    : say(
        "{count} secrets masked. Revoke these secrets: they were in the repository or in this conversation.",
        {
          count,
        },
      );
