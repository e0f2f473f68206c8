/**
 * Posts as messages of a Slack thread. Pure. Quiet by default (design.md 5): activities and what people said make no
 * message; the answer, questions, notices and one footer do. In every question the host's facts stand above and the
 * model's reason below, quoted and bounded.
 */

import type { ConversationId } from "../../src/core/id.ts";
import type { Words } from "../../src/core/prompt.ts";
import type { Post, PostBody } from "../../src/core/view.ts";
import { CHOICE_LABELS } from "../../src/core/wording.ts";
import type {
  Button,
  Content,
  Limits,
  Piece,
  Progress,
  Renderer,
  RenderScene,
} from "../../src/runtime/ports-surface.ts";
import { hostMarks, neutralise, splitMarkdown } from "../text.ts";
import { plain } from "./markup.ts";
import { footerText, noticeLine, openingText, progressText, questionText } from "./phrases.ts";

const MAX_REASON = 1_500;
/** Of a held call's dangers: how many are shown, and how much of each. */
const MAX_DANGERS = 3;
const MAX_DANGER = 600;
/** The end of the streamed text that progress shows; the whole of it comes as the answer. */
const MAX_LIVE = 1_500;

/** `covers`: what Unrestricted allows on this host, in the host's words. */
export const createSlackRenderer = ({ covers }: { readonly covers: string }): Renderer => ({
  post: (post, scene, limits) =>
    contentsOf(post, scene, limits, covers).map(
      (content, index): Piece => ({ key: `${post.key}#${index}`, content, final: post.final }),
    ),
  progress: (progress) => ({
    tone: "status",
    lead: progressText(progress),
    text: live(progress),
    buttons: progress.status.actions.map(() => ({
      action: "stop",
      label: "Stop",
      value: progress.conversation,
    })),
  }),
  refused: (why) =>
    notice(
      `${hostMarks.warning} A part of this conversation cannot be shown here: Slack refused it (${plain(why)}). The console shows it.`,
    ),
  repeated: (content) => ({
    ...content,
    lead: [
      `${hostMarks.notice} _This may be a repeat._`,
      ...(content.lead === undefined ? [] : [content.lead]),
    ].join("\n"),
  }),
});

const contentsOf = (post: Post, scene: RenderScene, limits: Limits, covers: string): readonly Content[] => {
  const { body } = post;
  const { conversation } = scene;
  switch (body.kind) {
    case "user":
    case "activity":
      return [];
    case "answer":
      return splitMarkdown(neutralise(answerText(scene.words.get(body.message))), {
        units: "utf16",
        max: limits.text,
      }).map((text) => ({ tone: "answer", text, buttons: [] }));
    case "opening":
      return [notice(openingText(body, conversation, covers))];
    case "notice":
      return [{ ...notice(noticeLine(body.notice)), buttons: retryButtons(post, conversation.id) }];
    case "question": {
      const lead = questionText(body, conversation, post.at, covers);
      return [{ tone: "question", lead, text: wordsText(body, scene), buttons: choices(post, scene) }];
    }
    case "footer":
      return [{ tone: "footer", lead: footerText(body, conversation), text: "", buttons: [] }];
  }
};

const notice = (lead: string): Content => ({ tone: "notice", lead, text: "", buttons: [] });

const choices = (post: Post, { question }: RenderScene): readonly Button[] =>
  question === null
    ? []
    : post.actions.flatMap((action) =>
        action === "retry" ? [] : [{ action, label: CHOICE_LABELS[action], value: question.wire }],
      );

const retryButtons = (post: Post, conversation: ConversationId): readonly Button[] =>
  post.actions.includes("retry") ? [{ action: "retry", label: "Try again", value: conversation }] : [];

/** The model's reason and, where there is one, what the person who decided added. */
const wordsText = (
  { message, call, ask = { kind: "upgrade" }, decision }: PostBody & { readonly kind: "question" },
  { words }: RenderScene,
): string => {
  const comment = decision === null || decision.comment === null ? null : words.get(decision.comment);
  return [
    ask.kind === "danger"
      ? dangersText(words.get(ask.shown))
      : reasonText(reasonOf(words.get(message), call.id)),
    ...(comment === null ? [] : [`Added to the decision:\n${quoted(commentText(comment))}`]),
  ].join("\n\n");
};

const reasonText = (reason: string): string =>
  reason === "" ? "The agent gives no reason." : `The agent's reason:\n${quoted(reason)}`;

/** What a held call would do. */
const dangersText = (words: Words | undefined): string =>
  words?.kind === "dangers"
    ? words.dangers
        .slice(0, MAX_DANGERS)
        .map(({ what, why, risk, changes }) =>
          quoted(
            [
              `What: ${line(what)}`,
              `Why: ${line(why)}`,
              `Risk: ${line(risk)}`,
              `Changes: ${line(changes.join("; "))}`,
            ].join("\n"),
            MAX_DANGER,
          ),
        )
        .join("\n\n")
    : quoted(ERASED);

/** A call's own words begin no line, where they could look like another of these. */
const line = (text: string): string => text.trim().replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, " ⏎ ");

const answerText = (words: Words | undefined): string =>
  words?.kind === "answer"
    ? words.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("")
    : ERASED;

const reasonOf = (words: Words | undefined, call: string): string => {
  if (words?.kind !== "answer") return ERASED;
  const use = words.blocks.find((block) => block.kind === "toolUse" && block.id === call);
  const input = use?.kind === "toolUse" ? use.input : null;
  const reason = typeof input === "object" && input !== null && "reason" in input ? input.reason : null;
  return typeof reason === "string" ? reason.trim() : "";
};

const commentText = (words: Words | undefined): string => (words?.kind === "comment" ? words.text : ERASED);

const ERASED = "[erased]";

const quoted = (text: string, max = MAX_REASON): string => {
  const points = Array.from(text);
  const short = points.length <= max ? text : `${points.slice(0, max).join("")} …`;
  return neutralise(short)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
};

/** The end of the text, from a line or a word on; in a fence where the fence began before. */
const live = ({ live: text }: Progress): string => {
  if (text.length <= MAX_LIVE) return neutralise(text);
  const end = text.slice(-MAX_LIVE);
  const from = text.length - MAX_LIVE + Math.max(0, end.search(/\s/));
  const fences = text.slice(0, from).match(/^[ \t>]*(?:`{3}|~{3})/gm)?.length ?? 0;
  return neutralise(`${fences % 2 === 1 ? "```\n" : ""}…${text.slice(from)}`);
};
