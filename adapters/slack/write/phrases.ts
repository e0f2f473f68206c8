/**
 * What the host says in a thread, in Slack's markup. Pure. No model's or person's words get in here but escaped names.
 * Each line begins with a mark that model text cannot hold (`hostMarks`).
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Decision, Notice } from "../../../src/machine/transcript.ts";
import { untrustedText } from "../../../src/machine/untrusted.ts";
import type { Ask } from "../../../src/machine/words.ts";
import type { Conversation, Repo } from "../../../src/ports/conversation.ts";
import type { Progress, RenderScene } from "../../../src/ports/surface.ts";
import type { Opening } from "../../../src/ports/threads.ts";
import type { PostBody } from "../../../src/thread/post.ts";
import type { Words } from "../../../src/thread/prompt.ts";
import { proposalFacts } from "../../../src/thread/proposal.ts";
import type { Cover } from "../../../src/thread/question.ts";
import { citationsOf } from "../../../src/thread/spoken.ts";
import {
  askText,
  CHOICE_LABELS,
  coverText,
  DECIDED,
  endedText,
  isWarning,
  type Marks,
  noticeText,
  originText,
  requestText,
  setUpStatusText,
} from "../../../src/thread/wording.ts";
import { agentsHeadAndCost, commitLink, hostMarks, sourcesText, stepText } from "../../text/text.ts";
import { code, escaped, linkTo, person, personOrCode, plain, time } from "./markup.ts";

/** What the host says of itself in posts. */
export interface Host {
  /** What Unrestricted allows here. */
  readonly covers: string;
  /** Who decides a question, or where they are told of it; in markup. */
  readonly approvers?: string;
}

type Body<K extends PostBody["kind"]> = PostBody & { readonly kind: K };

/** The commit comes with the checkout: the post is changed then. */
export const openingText = (
  { permission, confinement, mode }: Body<"opening">,
  conversation: Conversation,
  covers: string,
): string => {
  const held =
    permission === "restricted"
      ? "*Restricted*: tools can read the checkout and nothing else, without network."
      : `*Unrestricted*: ${plain(covers)}`;
  const missing = confinement === "enforced" ? "" : "The sandbox is not available on this host. ";
  const mark = confinement === "enforced" ? hostMarks.notice : hostMarks.warning;
  const work = mode === undefined ? "" : ` Work mode ${code(mode)}.`;
  return `${mark} Working on ${checkoutText(conversation)}. ${missing}${held}${work}`;
};

export const noticeLine = (notice: Notice): string =>
  `${isWarning(notice) ? hostMarks.warning : hostMarks.notice} ${inMarkup(noticeText(notice, MARKS))}`;

/** The upper half of a question: facts of the host alone. */
export const questionText = (
  { asker, ask = { kind: "upgrade" }, untrusted, cover, decision }: Body<"question">,
  conversation: Conversation,
  askedAt: Millis,
  { approvers }: Pick<Host, "approvers">,
  shown?: Words,
): string => {
  const who = asker === undefined ? "In " : `Asked for by ${person(asker)}, in `;
  const request = requestText(ask);
  return [
    `${hostMarks.question} *${inMarkup(askText(ask, MARKS))}*`,
    `${who}${checkoutText(conversation)}.`,
    ...(request === null ? [] : [request]),
    ...(ask.kind === "write" ? proposalFacts(shown, code, MAX_FILES) : []),
    untrustedText(untrusted, code),
    ...(decision === null
      ? [coverage(ask, cover), ...(approvers === undefined ? [] : [approvers])]
      : [verdict(decision, askedAt)]),
  ].join("\n");
};

/** Files that a card names. */
const MAX_FILES = 15;

const coverage = (ask: Ask, cover: Cover | undefined): string => {
  switch (ask.kind) {
    case "upgrade":
      if (cover !== undefined && cover.refused !== null) return plain(coverText(cover));
      return `*${CHOICE_LABELS.approve}* covers: ${plain(coverText(cover))} It holds until somebody restricts the conversation again.`;
    case "danger":
      return `*${CHOICE_LABELS.once}* covers this one call, *${CHOICE_LABELS.session}* every call of these categories in this thread until the host restarts.`;
    case "mode":
      return `*${CHOICE_LABELS.switch}* covers the mode alone: what tools may do stays as it is.`;
    case "write":
      return `*${CHOICE_LABELS.approve}* covers exactly this, once. What has changed by then is not written.`;
  }
};

/** One line under the last post of a turn (design.md 5). */
export const footerText = (
  { usage, model, permission, duration, answer, context }: Body<"footer">,
  { conversation, words }: RenderScene,
): string => {
  const { base } = conversation;
  const cited = answer === undefined ? undefined : citationsOf(words.get(answer));
  const sources = sourcesText(cited, conversation, ({ text, link }) => linked(text, link));
  const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  const cost = usage.costMicroUsd / 1e6;
  return [
    `${hostMarks.footer} ${badge(permission)}`,
    plain(model),
    `${tokens.toLocaleString("en-US")} tokens`,
    ...(context === undefined ? [] : [`${context} % of context`]),
    `$${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : 2)}`,
    `${(duration / 1_000).toFixed(1)} s`,
    ...(base === null
      ? []
      : [`${linked(base.commit.slice(0, 9), commitLink(conversation))} (${code(base.ref)})`]),
    ...(sources === null ? [] : [sources]),
  ].join(" · ");
};

const linked = (text: string, link: string | null): string =>
  link === null ? code(text) : `<${escaped(link)}|${escaped(text)}>`;

export const progressText = (progress: Progress): string =>
  `${hostMarks.status} ${progressParts(progress, { code, plain })}`;

/** The same where Slack takes no markup. */
export const progressTitle = (progress: Progress): string =>
  progressParts(progress, { code: (text) => text, plain: (text) => text });

const progressParts = (
  { status, permission, context }: Progress,
  marks: Pick<Marks, "code" | "plain">,
): string =>
  [
    `${stepText(status, marks, agentsHeadAndCost)}${setUpStatusText(status, marks.code)}`,
    badge(permission),
    ...(context > 0 ? [`${Math.round(context * 100)} % of context`] : []),
  ].join(" · ");

const verdict = ({ choice, by, at }: Decision, askedAt: Millis): string =>
  `*${DECIDED[choice]}* by ${person(by)}, ${time(at, askedAt)}`;

/** Repository and, once there is a checkout, commit. */
export const checkoutText = ({ repo, base }: Conversation): string =>
  base === null ? repoText(repo) : `${repoText(repo)} at ${code(base.commit.slice(0, 9))}`;

const repoText = ({ location, ref }: Repo): string =>
  code(
    `${location.replace(/^https:\/\/(?:github\.com\/)?/, "").replace(/\.git$/, "")}${ref === undefined ? "" : `@${ref}`}`,
  );

const badge = (permission: "restricted" | "unrestricted"): string =>
  permission === "restricted" ? "Restricted" : "Unrestricted";

/** People by name, where they are of this workspace. */
const MARKS: Marks = {
  code: personOrCode,
  plain,
  thread: (id, link) => (link === undefined ? code(id) : linkTo(link, "the new thread")),
  link: (text, url) => linkTo(url, plain(text)),
};

/** What stands above and below the summary of a thread that ends. */
export const endedLines = (body: Body<"summary">): { readonly head: string; readonly foot: string } => {
  const { head, foot } = endedText(body, MARKS);
  return { head: `${hostMarks.warning} ${inMarkup(head)}`, foot: `${hostMarks.notice} ${inMarkup(foot)}` };
};

/** The first message of a thread that was opened out of another one. */
export const originLine = ({ title, mode, by, why }: Opening, back: string | null): string => {
  const from = back === null ? "another thread" : linkTo(back, "another thread");
  const about = title.trim() === "" ? "" : `*${plain(title)}*\n`;
  return `${hostMarks.notice} ${about}${originText({ mode, by, why }, from, MARKS)}`;
};

/** The words that all surfaces share are Markdown: Slack's own markup is bold with one star. */
const inMarkup = (text: string): string => text.replaceAll("**", "*");
