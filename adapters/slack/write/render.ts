/**
 * Posts as messages of a Slack thread. Pure. Quiet by default (design.md 5): what people said makes no message and of
 * activities only what they changed does; the answer, files, questions, notices and one footer do. In every question the host's facts stand above and the
 * model's reason below, quoted and bounded.
 */

import type { ConversationId, MessageId } from "../../../src/machine/id.ts";
import { isByCommand } from "../../../src/machine/state.ts";
import type { Ask } from "../../../src/machine/words.ts";
import type {
  Button,
  Content,
  Limits,
  Piece,
  Progress,
  Renderer,
  RenderScene,
} from "../../../src/ports/surface.ts";
import type { Post, PostBody } from "../../../src/thread/post.ts";
import { ERASED, type Words } from "../../../src/thread/prompt.ts";
import { proposalIn } from "../../../src/thread/proposal.ts";
import { answerText, callReason, citationsOf } from "../../../src/thread/spoken.ts";
import { actionLabel, CHOICE_LABELS, isOwnAction, maskedText } from "../../../src/thread/wording.ts";
import {
  agentLines,
  agentsEnded,
  changeOf,
  filePart,
  hostMarks,
  markCitations,
  neutralise,
  type Part,
  sharedFile,
  sizeText,
  splitMarkdown,
  withLongCode,
} from "../../text/text.ts";
import { code, plain } from "./markup.ts";
import {
  endedLines,
  footerText,
  type Host,
  noticeLine,
  openingText,
  progressText,
  questionText,
} from "./phrases.ts";

const MAX_REASON = 1_500;
const MAX_TITLE = 300;
/** Of a held call's dangers: how many are shown, and how much of each. */
const MAX_DANGERS = 3;
const MAX_DANGER = 600;
/** Of each text that would be written to the forge; the console shows the whole. */
const MAX_PROPOSED = 2_500;
/** The end of the streamed text that progress shows; the whole of it comes as the answer. */
const MAX_LIVE = 1_500;

export const createSlackRenderer = (host: Host): Renderer => ({
  post: (post, scene, limits) =>
    contentsOf(post, scene, limits, host).map(
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
  refused: (why, { file }, own = false) =>
    notice(
      file === undefined
        ? `${hostMarks.warning} A part of this conversation cannot be shown here: ${reasonOf(why, own)}. The console shows it.`
        : `${hostMarks.warning} The file ${code(file.name)} could not be attached here: ${reasonOf(why, own)}. The console has it.`,
    ),
  masked: (count) => notice(`${hostMarks.warning} ${maskedText(count)}`),
  repeated: (content) => ({
    ...content,
    lead: [
      `${hostMarks.notice} _This may be a repeat._`,
      ...(content.lead === undefined ? [] : [content.lead]),
    ].join("\n"),
  }),
});

/** The host's own reasons are sentences. */
const reasonOf = (why: string, own: boolean): string =>
  own ? plain(why) : `Slack refused it (${plain(why)})`;

const contentsOf = (post: Post, scene: RenderScene, limits: Limits, host: Host): readonly Content[] => {
  const { body } = post;
  const { conversation } = scene;
  switch (body.kind) {
    case "user":
      return [];
    case "activity":
      return [...agentsContents(body, scene), ...changeContents(body, scene, limits)];
    case "answer": {
      const words = scene.words.get(body.message);
      return withLongCode(answerText(words), limits.text).flatMap((part) =>
        part.kind === "file"
          ? [attached(part)]
          : splitMarkdown(markCitations(neutralise(part.text), citationsOf(words), conversation), {
              units: "utf16",
              max: limits.text,
            }).map((text): Content => ({ tone: "answer", text, buttons: [] })),
      );
    }
    case "file":
      return [fileContent(body, scene)];
    case "opening":
      return [notice(openingText(body, conversation, host.covers))];
    case "notice":
      return [{ ...notice(noticeLine(body.notice)), buttons: buttonsOf(post, conversation.id) }];
    case "summary":
      return summaryContents(post, body, scene, limits);
    case "question": {
      const facts = body.ask?.kind === "write" ? scene.words.get(body.ask.shown) : undefined;
      const lead = questionText(body, conversation, post.at, host, facts);
      return [{ tone: "question", lead, text: wordsText(body, scene), buttons: choices(post, scene) }];
    }
    case "footer":
      return [{ tone: "footer", lead: footerText(body, scene), text: "", buttons: [] }];
  }
};

/** The summary between the host's own words, the buttons below its end (BED-021). */
const summaryContents = (
  post: Post,
  body: PostBody & { readonly kind: "summary" },
  { words, conversation }: RenderScene,
  limits: Limits,
): readonly Content[] => {
  const { head, foot } = endedLines(body);
  const told =
    body.message === null
      ? []
      : splitMarkdown(neutralise(answerText(words.get(body.message))), { units: "utf16", max: limits.text });
  return [
    notice(head),
    ...told.map((text): Content => ({ tone: "notice", text, buttons: [] })),
    { ...notice(foot), buttons: buttonsOf(post, conversation.id) },
  ];
};

/** What sub-agents came to, where the progress told of them before. */
const agentsContents = (
  body: PostBody & { readonly kind: "activity" },
  { words }: RenderScene,
): readonly Content[] => {
  const ended = agentsEnded(body, words);
  if (ended === null) return [];
  const cost = ended.costMicroUsd / 1e6;
  const lead = `${hostMarks.notice} ${ended.head} · $${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : 2)}`;
  return [{ ...notice(lead), text: neutralise(ended.lines.join("\n")) }];
};

/** PATCH-007: the diff of what a call changed, below one line of the host. */
const changeContents = (
  body: PostBody & { readonly kind: "activity" },
  { words }: RenderScene,
  limits: Limits,
): readonly Content[] => {
  const change = changeOf(body, words, limits.text, neutralise);
  if (change === null) return [];
  const { path, added, removed, part } = change;
  const lead = `${hostMarks.notice} Changed ${code(path)} (+${added} −${removed})`;
  const shown = part.kind === "file" ? { file: part.file } : { text: part.text };
  return [{ ...notice(lead), ...shown }];
};

const attached = ({ file, size }: Part & { readonly kind: "file" }): Content => ({
  ...notice(`${hostMarks.notice} ${code(file.name)} (${sizeText(size)})`),
  file,
});

const fileContent = (body: PostBody & { readonly kind: "file" }, { words }: RenderScene): Content => {
  const file = sharedFile(body, words);
  if (file === null) return notice(`${hostMarks.notice} A file that stood here was erased.`);
  return {
    ...notice(`${hostMarks.notice} ${code(file.name)} (${sizeText(file.size)})`),
    text: file.title === null ? "" : quoted(file.title, MAX_TITLE),
    file: filePart(file),
  };
};

const notice = (lead: string): Content => ({ tone: "notice", lead, text: "", buttons: [] });

const choices = (post: Post, { question }: RenderScene): readonly Button[] =>
  question === null
    ? []
    : post.actions.flatMap((action) =>
        isOwnAction(action) ? [] : [{ action, label: CHOICE_LABELS[action], value: question.wire }],
      );

/** Those that no question is about. */
const buttonsOf = (post: Post, conversation: ConversationId): readonly Button[] =>
  post.actions.flatMap((action) =>
    isOwnAction(action) ? [{ action, label: actionLabel(action, post.body), value: conversation }] : [],
  );

/** The model's reason and, where there is one, what the person who decided added. */
const wordsText = (
  { message, call, ask = { kind: "upgrade" }, decision }: PostBody & { readonly kind: "question" },
  { words }: RenderScene,
): string => {
  const comment = decision === null || decision.comment === null ? null : words.get(decision.comment);
  return [
    ...(isByCommand(ask)
      ? []
      : [shownText(ask, words, callReason(words.get(message), call.id)?.trim() ?? ERASED)]),
    ...(comment === null ? [] : [`Added to the decision:\n${quoted(commentText(comment))}`]),
  ].join("\n\n");
};

const shownText = (ask: Ask, words: ReadonlyMap<MessageId, Words>, reason: string): string => {
  switch (ask.kind) {
    case "danger":
      return dangersText(words.get(ask.shown));
    case "write":
      return proposedText(words.get(ask.shown));
    case "upgrade":
    case "mode":
      return reasonText(reason);
  }
};

/** What would be written, as the model has it. */
const proposedText = (words: Words | undefined): string =>
  (proposalIn(words)?.texts ?? [{ name: "Text", text: ERASED }])
    .map(({ name, text }) => `${name}:\n${quoted(text.trim(), MAX_PROPOSED)}`)
    .join("\n\n");

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
const line = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join(" ⏎ ");

const commentText = (words: Words | undefined): string => (words?.kind === "comment" ? words.text : ERASED);

const quoted = (text: string, max = MAX_REASON): string => {
  const points = Array.from(text);
  const short = points.length <= max ? text : `${points.slice(0, max).join("")} …`;
  return neutralise(short)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
};

/** The end of the text, from a line or a word on; in a fence where the fence began before. */
const live = ({ live: text, status }: Progress): string => {
  if (status.agents !== undefined) return neutralise(agentLines(status.agents));
  if (text.length <= MAX_LIVE) return neutralise(text);
  const end = text.slice(-MAX_LIVE);
  const from = text.length - MAX_LIVE + Math.max(0, end.search(/\s/));
  const fences = text.slice(0, from).match(/^[ \t>]*(?:`{3}|~{3})/gm)?.length ?? 0;
  return neutralise(`${fences % 2 === 1 ? "```\n" : ""}…${text.slice(from)}`);
};
