/** The host's own sentences in a thread. Pure; none of them holds a model's words. */

import { familyOf } from "../../../machine/agent.ts";
import type { Notice } from "../../../machine/transcript.ts";
import type { Ask } from "../../../machine/words.ts";
import type { PostBody } from "../../../thread/post.ts";
import type { Marks } from "../../../thread/marks.ts";
import { askText, noticeText, verdictText } from "../../../thread/wording.ts";
import type { Label, Say } from "../../../i18n/say.ts";
import { heldText } from "../../../../adapters/post/phrases.ts";
import { shownCode, shownWords } from "../../../text/invisible.ts";
import type { PageScene } from "./scene.ts";
import { locationsOf } from "../../../ports/conversation.ts";
import type { WireBody, WireDecision } from "./api-types.ts";

type NoticeBody = Omit<Extract<WireBody, { readonly kind: "notice" }>, "kind">;

/**
 * What the conversation works on and what holds it (BED-014). The commit is not known yet when this is posted; it
 * stands in the summary and in every footer.
 */
export const openingText = (
  { permission, confinement }: PostBody & { readonly kind: "opening" },
  scene: Pick<PageScene, "conversation" | "sandboxNotice" | "modelNotice" | "covers" | "say">,
): string => {
  const { say } = scene;
  const held = heldText(permission, plain(say.stored(scene.covers)), (text) => `**${text}**`, say);
  const missing = plain(
    scene.sandboxNotice === null
      ? say("The sandbox is not available on this host.")
      : say.stored(scene.sandboxNotice),
  );
  const why = scene.conversation.origin?.why;
  return [
    [
      say("Working on {repo}.", { repo: code(locationsOf(scene.conversation.repo)) }),
      ...(why === undefined ? [] : [say(ORIGIN[why])]),
    ].join(" "),
    ...(familyOf(scene.conversation.id) === scene.conversation.id
      ? []
      : [say("This is a sub-agent: another conversation assigned one task to it and reads the result.")]),
    confinement === "enforced" ? held : `${missing} ${held}`,
    ...(scene.modelNotice === null ? [] : [plain(say.stored(scene.modelNotice))]),
  ].join("\n\n");
};

const ORIGIN: Readonly<Record<"branch" | "continuation", Label>> = {
  branch: "Continued from another thread, in another work mode.",
  continuation: "Continued from another thread, whose context was used up.",
};

export const noticeBody = (notice: Notice, say: Say): NoticeBody => ({
  topic: TOPICS[notice.kind],
  tone: notice.kind === "failed" ? "error" : isWarning(notice) ? "warning" : "plain",
  markdown: noticeText(notice, marksIn(say)),
  ...(notice.kind === "permission" && notice.to === "unrestricted" ? { unlocks: true } : {}),
  ...(notice.kind === "branched" && notice.to !== null ? { thread: notice.to } : {}),
});

/** A write that was approved did not happen, or nobody knows. */
const isNotDone = (notice: Notice): boolean => notice.kind === "wrote" && notice.wrote.kind !== "done";

/** Something went otherwise than people expect: the notice stands out. */
const isWarning = (notice: Notice): boolean =>
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
  "noCall",
  "cut",
]);

/** People are told because they have to do without something. */
const goesWithout = (notice: Notice): boolean =>
  (notice.kind === "setUp" && notice.setUp.kind === "failed") ||
  (notice.kind === "putBack" && notice.putBack.kind !== "whole");

const TOPICS: { readonly [K in Notice["kind"]]: NoticeBody["topic"] } = {
  stopped: "stopped",
  interrupted: "interrupted",
  failed: "failed",
  fellBack: "failed",
  permission: "permission",
  mode: "mode",
  model: "mode",
  safeMode: "permission",
  grants: "permission",
  paused: "permission",
  notAsked: "permission",
  branched: "mode",
  setUp: "answer",
  putBack: "answer",
  wrote: "forge",
  context: "answer",
  unseen: "answer",
  notContinued: "mode",
  reused: "answer",
  empty: "answer",
  refused: "answer",
  noCall: "answer",
  cut: "answer",
};

export const decisionText = (ask: Ask, decision: WireDecision | null, say: Say): string =>
  decision === null ? askText(ask, marksIn(say)) : verdictText(decision, marksIn(say));

export const code = (words: string): string => {
  const text = shownCode(words);
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(longest + 1);
  const padded = text.startsWith("`") || text.endsWith("`") ? ` ${text} ` : text;
  return `${fence}${padded}${fence}`;
};

/** Words of the host or a provider that are not meant as Markdown. */
const plain = (text: string): string => shownWords(text).replaceAll(/([\\`*_[\]<>#|~!])/g, "\\$1");

/** The console's own person is told in words, everybody else by id. */
const named = (text: string, say: Say): string => (text === OPERATOR ? say("the operator") : code(text));

const OPERATOR = "console:operator";

export const marksIn = (say: Say): Marks => ({
  say,
  code: (text) => named(text, say),
  plain,
  thread: (id, link) => (link === undefined ? code(id) : `[${say("the new thread")}](${link})`),
  link: (text, url) => `[${plain(text)}](<${url}>)`,
});
