/**
 * What the host says in a thread. Pure. No model's or person's words get in here but escaped names. Each line begins with a
 * mark that model text cannot hold (`hostMarks`).
 */

import type { Notice } from "../../src/machine/transcript.ts";
import type { Permission } from "../../src/machine/words.ts";
import type { Conversation } from "../../src/ports/conversation.ts";
import type { Progress, RenderScene } from "../../src/ports/surface.ts";
import type { Opening } from "../../src/ports/threads.ts";
import type { PostBody } from "../../src/thread/post.ts";
import { citationsOf } from "../../src/thread/spoken.ts";
import { isWarning, type Marks, noticeText, originText, setUpStatusText } from "../../src/thread/wording.ts";
import { agentsHead, agentsHeadAndCost, commitLink, hostMarks, sourcesText, stepText } from "../text/text.ts";
import type { Dialect } from "./dialect.ts";

type Body<K extends PostBody["kind"]> = PostBody & { readonly kind: K };

/** The commit comes with the checkout: where it is told, the post is changed then. */
export const openingText = (
  { permission, confinement, mode }: Body<"opening">,
  conversation: Conversation,
  covers: string,
  { isPublic, bold, code, marks }: Dialect,
): string => {
  const allowed = isPublic ? "tools can write and reach the network." : marks.plain(covers);
  const held = heldText(permission, allowed, bold);
  const missing = confinement === "enforced" ? "" : "The sandbox is not available on this host. ";
  const mark = confinement === "enforced" ? hostMarks.notice : hostMarks.warning;
  const work = mode === undefined || isPublic ? "" : ` Work mode ${code(mode)}.`;
  const where = isPublic ? code(repoName(conversation)) : checkoutText(conversation, code);
  return `${mark} Working on ${where}. ${missing}${held}${work}`;
};

/** What tools may do; `allowed`: where they may write. */
export const heldText = (permission: Permission, allowed: string, bold: Dialect["bold"]): string =>
  permission === "restricted"
    ? `${bold("Restricted")}: tools can read the checkout and nothing else, without network.`
    : `${bold("Unrestricted")}: ${allowed}`;

export const noticeLine = (notice: Notice, { marks, markdown }: Dialect): string =>
  `${isWarning(notice) ? hostMarks.warning : hostMarks.notice} ${markdown(noticeText(notice, marks))}`;

/** One line under the last post of a turn (docs/design/ideas.md). */
export const footerText = (
  body: Body<"footer">,
  { conversation, words }: RenderScene,
  { isPublic, code, linked, marks }: Dialect,
): string => {
  const { permission, answer, context } = body;
  const { base, repo } = conversation;
  const commit = base === null ? null : linked(base.commit.slice(0, 9), commitLink(conversation));
  const cited = answer === undefined ? undefined : citationsOf(words.get(answer));
  const sources = sourcesText(cited, conversation, ({ text, link }) => linked(text, link));
  const named = isPublic && repo.ref !== undefined ? "" : ` (${code(base?.ref ?? "")})`;
  const facts = isPublic
    ? [
        `${code(repoName(conversation))}${commit === null ? "" : ` at ${commit}${named}`}`,
        badge(permission),
        ...usedText(context),
      ]
    : turnFacts(body, commit === null ? null : `${commit}${named}`, marks.plain);
  return `${hostMarks.footer} ${[...facts, ...(sources === null ? [] : [sources])].join(" · ")}`;
};

/** What a turn was, took and cost. */
export const turnFacts = (
  { usage, model, permission, duration, context }: Body<"footer">,
  commit: string | null,
  plain: Marks["plain"],
): readonly string[] => {
  const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  return [
    badge(permission),
    plain(model),
    `${tokens.toLocaleString("en-US")} tokens`,
    ...usedText(context),
    costText(usage.costMicroUsd),
    `${(duration / 1_000).toFixed(1)} s`,
    ...(commit === null ? [] : [commit]),
  ];
};

const usedText = (percent: number | undefined): readonly string[] =>
  percent === undefined ? [] : [`${percent} % of context`];

export const costText = (microUsd: number): string => {
  const cost = microUsd / 1e6;
  return `$${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : 2)}`;
};

/** `marks`: of text that takes none, they write it as it is. */
export const progressText = (
  { status, permission, context }: Progress,
  marks: Pick<Marks, "code" | "plain">,
  isPublic: boolean,
): string =>
  [
    `${stepText(status, marks, isPublic ? agentsHead : agentsHeadAndCost)}${setUpStatusText(status, marks.code)}`,
    badge(permission),
    ...(context < 0.01 ? [] : [`${Math.floor(context * 100)} % of context`]),
  ].join(" · ");

/** The first message of a thread that was opened out of another one; `from` is that one as a link, where there is one. */
export const originLine = (
  { title, mode, by, why }: Opening,
  from: string,
  { bold, marks }: Dialect,
): string => {
  const about = title.trim() === "" ? "" : `${bold(marks.plain(title))}\n`;
  return `${hostMarks.notice} ${about}${originText({ mode, by, why }, from, marks)}`;
};

/** Repository and, once there is a checkout, commit. */
export const checkoutText = (conversation: Conversation, code: Dialect["code"]): string => {
  const { base } = conversation;
  const repo = code(repoName(conversation));
  return base === null ? repo : `${repo} at ${code(base.commit.slice(0, 9))}`;
};

/** As people name it: the host and the protocol of the usual forge go without saying. */
const repoName = ({ repo: { location, ref } }: Conversation): string =>
  `${location.replace(/^https:\/\/(github\.com\/)?/, "").replace(/\.git$/, "")}${ref === undefined ? "" : `@${ref}`}`;

const badge = (permission: Permission): string =>
  permission === "restricted" ? "Restricted" : "Unrestricted";
