/**
 * What the host says in a thread, in Slack's markup. Pure. No model's or person's words get in here but escaped names.
 * Each line begins with a mark that model text cannot hold (`hostMarks`).
 */

import type { Decision, Notice } from "../../src/core/transcript.ts";
import type { PostBody, Status } from "../../src/core/view.ts";
import type { Millis } from "../../src/core/id.ts";
import { askText, CHOICE_LABELS, DECIDED, type Marks, noticeText } from "../../src/core/wording.ts";
import type { Ask } from "../../src/core/words.ts";
import type { Conversation, Repo } from "../../src/runtime/ports.ts";
import type { Progress } from "../../src/runtime/ports-surface.ts";
import { hostMarks } from "../text.ts";
import { code, person, personOrCode, plain, time } from "./markup.ts";

type Body<K extends PostBody["kind"]> = PostBody & { readonly kind: K };

/** The commit is not known yet when this is posted; it stands in questions and in every footer. */
export const openingText = (
  { permission, confinement }: Body<"opening">,
  { repo }: Conversation,
  covers: string,
): string => {
  const held =
    permission === "restricted"
      ? "*Restricted*: tools can read the checkout and nothing else, without network."
      : `*Unrestricted*: ${plain(covers)}`;
  const missing = confinement === "enforced" ? "" : "The sandbox is not available on this host. ";
  const mark = confinement === "enforced" ? hostMarks.notice : hostMarks.warning;
  return `${mark} Working on ${repoText(repo)}. ${missing}${held}`;
};

export const noticeLine = (notice: Notice): string =>
  `${isWarning(notice) ? hostMarks.warning : hostMarks.notice} ${inMarkup(noticeText(notice, MARKS))}`;

/** The upper half of a question: facts of the host alone. */
export const questionText = (
  { asker, ask = { kind: "upgrade" }, first, decision }: Body<"question">,
  conversation: Conversation,
  askedAt: Millis,
  covers: string,
): string => {
  const who = asker === undefined ? "In " : `Asked for by ${person(asker)}, in `;
  const again = first === undefined ? "" : ` First asked ${time(first, askedAt)}.`;
  return [
    `${hostMarks.question} *${inMarkup(askText(ask, MARKS))}*`,
    `${who}${place(conversation)}.${again}`,
    decision === null ? coverage(ask, covers) : verdict(decision, askedAt),
  ].join("\n");
};

const coverage = (ask: Ask, covers: string): string => {
  switch (ask.kind) {
    case "upgrade":
      return `*${CHOICE_LABELS.approve}* covers: ${plain(covers)} It holds until somebody restricts the conversation again.`;
    case "danger":
      return `*${CHOICE_LABELS.once}* covers this one call, *${CHOICE_LABELS.session}* every call of these categories in this thread until the host restarts.`;
    case "mode":
      return `*${CHOICE_LABELS.switch}* covers the mode alone: what tools may do stays as it is.`;
  }
};

/** One line under the last post of a turn (design.md 5). */
export const footerText = (
  { usage, model, permission, duration }: Body<"footer">,
  { base }: Conversation,
): string => {
  const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  const cost = usage.costMicroUsd / 1e6;
  return [
    `${hostMarks.footer} ${badge(permission)}`,
    plain(model),
    `${tokens.toLocaleString("en-US")} tokens`,
    `$${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : 2)}`,
    `${(duration / 1_000).toFixed(1)} s`,
    ...(base === null ? [] : [code(base.commit.slice(0, 9))]),
  ].join(" · ");
};

export const progressText = ({ status, permission, context }: Progress): string =>
  [
    `${hostMarks.status} ${stepText(status)}`,
    badge(permission),
    ...(context > 0 ? [`${Math.round(context * 100)} % of context`] : []),
  ].join(" · ");

/** What is being done, in the host's markup. */
const stepText = ({ kind, tool, attempt, wait }: Status): string => {
  switch (kind) {
    case "thinking":
      return "Thinking";
    case "retrying":
      return `${plain(wait?.failure.message ?? "")} Trying again soon (${attempt})`;
    case "running":
      return `Running ${code(tool ?? "")}`;
    case "stopping":
      return "Stopping";
  }
};

const verdict = ({ choice, by, at }: Decision, askedAt: Millis): string =>
  `*${DECIDED[choice]}* by ${person(by)}, ${time(at, askedAt)}`;

const place = ({ repo, base }: Conversation): string =>
  base === null ? repoText(repo) : `${repoText(repo)} at ${code(base.commit.slice(0, 9))}`;

const repoText = ({ location }: Repo): string =>
  code(location.replace(/^https:\/\/(?:github\.com\/)?/, "").replace(/\.git$/, ""));

const badge = (permission: "restricted" | "unrestricted"): string =>
  permission === "restricted" ? "Restricted" : "Unrestricted";

/** Something went otherwise than people expect. */
const isWarning = ({ kind }: Notice): boolean => WARNINGS.has(kind);

const WARNINGS: ReadonlySet<Notice["kind"]> = new Set([
  "interrupted",
  "failed",
  "paused",
  "empty",
  "refused",
  "cut",
]);

/** People by name, where they are of this workspace. */
const MARKS: Marks = { code: personOrCode, plain, thread: code };

/** The words that all surfaces share are Markdown: Slack's own markup is bold with one star. */
const inMarkup = (text: string): string => text.replaceAll("**", "*");
