/** Sentences in the thread about a pull request that is looked after. */

import type { HostMessage } from "../../../ports/alerts.ts";
import type { Button } from "../../../ports/surface.ts";
import type { Label, Say } from "../../../i18n/say.ts";
import { momentText } from "../../../runtime/chat/people/reply-texts.ts";
import {
  pushesLeft,
  type PushReason,
  type TendCause,
  type TendedPull,
  type TendedPush,
  type TendEnd,
} from "./bounds.ts";
import type { ForgeFacts } from "./forge-facts.ts";

type Line = Omit<HostMessage, "id" | "root">;

const dollars = (amount: number): string => `$${(Math.max(0, amount) / 1_000_000).toFixed(2)}`;

const stopButton = ({ id }: Pick<TendedPull, "id">, say: Say): Button => ({
  action: { feature: "stop_looking_after" },
  label: say("Stop looking after it"),
  value: id,
});

export const begunLine = (pull: TendedPull, by: string, say: Say): Line => ({
  text: say(
    "{by} lets me look after {pull}. I fix failed checks and answer comments, on the branch {branch} only. Most pushes: {pushes}. Most money: {money}. End: {end}. Workflow files and files with code owners still need a click.",
    {
      by,
      pull: pull.name,
      branch: pull.branch,
      pushes: pull.pushes,
      money: dollars(pull.budget),
      end: momentText(pull.ends),
    },
  ),
  button: stopButton(pull, say),
});

export const turnLine = (
  { name, cause }: Pick<TendedPull, "name" | "cause">,
  { failed, texts }: Pick<ForgeFacts, "failed" | "texts">,
  say: Say,
): Line => {
  const checks = cause.checks ? failed.map((run) => run.name) : [];
  const remarks = texts.filter(({ id }) => cause.remarks.includes(id));
  const words = [...checks, ...remarks.map(({ author, on, text }) => `${author}, ${on}: ${text}`)].join("\n");
  const text =
    cause.checks && cause.remarks.length > 0
      ? say("Checks of {pull} failed, and people commented on it. I look into both.", { pull: name })
      : cause.checks
        ? say("Checks of {pull} failed. I look into them.", { pull: name })
        : say("People commented on {pull}. I look into the comments.", { pull: name });
  return { text, ...(words === "" ? {} : { words: words.slice(0, MAX_WORDS) }) };
};

const MAX_WORDS = 700;

export const pushedLine = (pull: TendedPull, { commit, made, spent }: PushedFacts, say: Say): Line => ({
  text: say(
    "I pushed {commit} to {branch}, because of {reason}. Pushes left: {pushes}. Money left: {money}. End: {end}.",
    {
      reason: say(reasonOf(pull.cause)),
      commit: commit.slice(0, 9),
      branch: pull.branch,
      pushes: pushesLeft(pull, made),
      money: dollars(pull.budget - spent),
      end: momentText(pull.ends),
    },
  ),
  button: stopButton(pull, say),
});

interface PushedFacts {
  readonly commit: string;
  readonly made: readonly TendedPush[];
  readonly spent: number;
}

const reasonOf = ({ checks, remarks }: TendCause): Label => {
  if (checks && remarks.length > 0) return "failed checks and comments";
  return checks ? "failed checks" : "comments";
};

export const askLine = (why: PushReason, say: Say): Line => ({
  text: say("This change needs a decision of its own: {why}", { why: reasonText(why, say) }),
  ...("path" in why ? { words: why.path } : {}),
});

const reasonText = ({ kind }: PushReason, say: Say): string => say(REASONS[kind]);

const REASONS: Readonly<Record<PushReason["kind"], Label>> = {
  ended: "I no longer look after the pull request.",
  pushes: "The agreed number of pushes is used up.",
  money: "The agreed amount is spent.",
  moved: "Another push changed the branch.",
  workflow: "It changes a file that runs on servers or decides about reviews.",
  owners: "It changes a file that has code owners.",
  size: "It is too large to be shown completely.",
  test: "Its test failed.",
  added: "A person added words to this turn.",
  edits: "The draft contained other edits before this turn.",
  right: "The person who let me look after it is no approver any more.",
};

/** A turn that ended early is repeated once. */
export const brokenLine = (pull: TendedPull, say: Say): Line => ({
  text: say(
    "My work on {pull} broke off twice, so I wait for the next push, failed check or comment. To start my work now, run the failed check again, or ask me here.",
    { pull: pull.name },
  ),
  button: stopButton(pull, say),
});

export const endLine = (pull: TendedPull, why: TendEnd, say: Say): Line => ({
  text: say("I no longer look after {pull}: {why}", { pull: pull.name, why: say(ENDS[why]) }),
});

const ENDS: Readonly<Record<TendEnd, Label>> = {
  merged: "It was merged.",
  closed: "It was closed.",
  time: "The agreed time is over.",
  money: "The agreed amount is spent.",
  pushes: "The agreed number of pushes is used up.",
  moved: "Another push changed the branch.",
  stopped: "A person stopped it.",
  access:
    "The forge no longer lets the person who clicked push to the repository. Another approver can press *Look after this pull request* again.",
  connection:
    "The person who clicked is no longer connected to the forge. That person can connect with `/parley connect`. Then an approver can press *Look after this pull request* again.",
  forge: "The forge has refused my requests for a day.",
  thread: "This thread cannot continue.",
};
