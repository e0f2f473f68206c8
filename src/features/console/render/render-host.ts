/** The host's own sentences in a thread. Pure; no sentence contains a model's words. */

import { familyOf } from "../../../machine/agent.ts";
import type { Notice } from "../../../machine/transcript.ts";
import type { QuestionSpec } from "../../../machine/vocabulary.ts";
import type { PostBody } from "../../../thread/post.ts";
import type { Formatter } from "../../../thread/formatter.ts";
import { askText, noticeText, verdictText } from "../../../thread/wording.ts";
import type { Label, Say } from "../../../i18n/say.ts";
import { pendingReviewText } from "../../../../adapters/post/phrases.ts";
import { visibleCode, visibleText } from "../../../text/invisible.ts";
import type { PageScene } from "./scene.ts";
import { locationsOf } from "../../../ports/conversation.ts";
import type { WireBody, WireDecision } from "./api-types.ts";

type NoticeBody = Omit<Extract<WireBody, { readonly kind: "notice" }>, "kind">;

/**
 * Repository and confinement of the conversation (BED-014). The commit is still unknown when this text is posted, so the
 * summary and every footer name the commit.
 */
export const openingText = (
  { permission, confinement }: PostBody & { readonly kind: "opening" },
  scene: Pick<PageScene, "conversation" | "sandboxNotice" | "modelNotice" | "covers" | "say">,
): string => {
  const { say } = scene;
  const held = pendingReviewText(permission, plain(say.stored(scene.covers)), (text) => `**${text}**`, say);
  const missing = plain(
    scene.sandboxNotice === null
      ? say("The sandbox is not available on this host.")
      : say.stored(scene.sandboxNotice),
  );
  const why = scene.conversation.origin?.why;
  return [
    [
      say("Working on {repo}.", { repo: consoleCode(locationsOf(scene.conversation.repo)) }),
      ...(why === undefined ? [] : [say(ORIGIN[why])]),
    ].join(" "),
    ...(familyOf(scene.conversation.id) === scene.conversation.id
      ? []
      : [
          say(
            "This conversation is a sub-agent: it works on one task of another conversation, which reads the result.",
          ),
        ]),
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

/** Whether an approved write failed, or its outcome is unknown. */
const isNotDone = (notice: Notice): boolean => notice.kind === "wrote" && notice.wrote.kind !== "done";

/** Whether the result is unexpected for people. The notice is then highlighted. */
const isWarning = (notice: Notice): boolean =>
  WARNINGS.has(notice.kind) || isNotDone(notice) || goesWithout(notice);

const WARNINGS: ReadonlySet<Notice["kind"]> = new Set([
  "interrupted",
  "unread",
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

/** Whether the setup failed, or the checkout was not restored completely. */
const goesWithout = (notice: Notice): boolean =>
  (notice.kind === "setUp" && notice.setUp.kind === "failed") ||
  (notice.kind === "putBack" && notice.putBack.kind !== "whole");

const TOPICS: { readonly [K in Notice["kind"]]: NoticeBody["topic"] } = {
  stopped: "stopped",
  interrupted: "interrupted",
  unread: "interrupted",
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

export const decisionText = (ask: QuestionSpec, decision: WireDecision | null, say: Say): string =>
  decision === null ? askText(ask, marksIn(say)) : verdictText(decision, marksIn(say));

export const consoleCode = (words: string): string => {
  const text = visibleCode(words);
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(longest + 1);
  const padded = text.startsWith("`") || text.endsWith("`") ? ` ${text} ` : text;
  return `${fence}${padded}${fence}`;
};

/** Escapes Markdown in text of the host or a provider. */
const plain = (text: string): string => visibleText(text).replaceAll(/([\\`*_[\]<>#|~!])/g, "\\$1");

/** The console's operator is named in words, every other person by id. */
const named = (text: string, say: Say): string =>
  text === OPERATOR ? say("the operator") : consoleCode(text);

const OPERATOR = "console:operator";

export const marksIn = (say: Say): Formatter => ({
  say,
  code: (text) => named(text, say),
  plain,
  thread: (id, link) => (link === undefined ? consoleCode(id) : `[${say("the new thread")}](${link})`),
  link: (text, url) => `[${plain(text)}](<${url}>)`,
});
