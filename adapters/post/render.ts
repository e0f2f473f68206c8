/**
 * Posts as messages of a thread, the same on every chat platform; a dialect spells them. Pure. Quiet by default (docs/design/ideas.md
 * 5): what people said makes no message and of activities only what they changed does; the answer, files, questions, notices
 * and one footer do. The host's own words are a message's lead; model text cannot reach into it.
 */

import type { ConversationId } from "../../src/machine/id.ts";
import type {
  Button,
  Content,
  Limits,
  Piece,
  Progress,
  Renderer,
  RenderScene,
} from "../../src/ports/surface.ts";
import type { Post, PostBody } from "../../src/thread/post.ts";
import { answerText, citationsOf } from "../../src/thread/spoken.ts";
import { actionLabel, CHOICE_LABELS, endedText, isOwnAction, maskedText } from "../../src/thread/wording.ts";
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
} from "../text/text.ts";
import type { Dialect, Host } from "./dialect.ts";
import { costText, footerText, noticeLine, openingText, progressText } from "./phrases.ts";
import { questionContent, quoted } from "./question.ts";

const MAX_TITLE = 300;
/** Of the line above a diff. */
const MAX_CHANGED = 200;
/** The end of the streamed text that progress shows; the whole of it comes as the answer. */
const MAX_LIVE = 1_500;
/** UTF-16 code units of it once it is harmless. */
const MAX_SHOWN = 3_000;

export const createRenderer = (dialect: Dialect, host: Host): Renderer => {
  const { platform, code, italic, marks } = dialect;
  /** The host's own reasons are sentences. */
  const reasonOf = (why: string, own: boolean): string =>
    own ? marks.plain(why) : `${platform} refused it (${marks.plain(why)})`;
  return {
    post: (post, scene, limits) =>
      contentsOf(post, scene, limits, host, dialect).map(
        (content, index): Piece => ({ key: `${post.key}#${index}`, content, final: post.final }),
      ),
    progress: (progress) => ({
      tone: "status",
      lead: `${hostMarks.status} ${progressText(progress, { code, plain: marks.plain }, dialect.isPublic)}`,
      text: liveText(progress),
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
        `${hostMarks.notice} ${italic("This may be a repeat.")}`,
        ...(content.lead === undefined ? [] : [content.lead]),
      ].join("\n"),
    }),
  };
};

const contentsOf = (
  post: Post,
  scene: RenderScene,
  limits: Limits,
  host: Host,
  dialect: Dialect,
): readonly Content[] => {
  const { body } = post;
  const { conversation, words } = scene;
  switch (body.kind) {
    case "user":
      return [];
    case "activity":
      return [...agentsContents(body, scene, dialect), ...changeContents(body, scene, limits, dialect)];
    case "answer": {
      const said = words.get(body.message);
      return withLongCode(answerText(said), limits.text).flatMap((part) =>
        part.kind === "file"
          ? [attached(part, dialect)]
          : pieces(markCitations(neutralise(part.text), citationsOf(said), conversation), "answer", limits),
      );
    }
    case "file":
      return [fileContent(body, scene, dialect)];
    case "opening":
      return [notice(openingText(body, conversation, host.covers, dialect))];
    case "notice":
      return [{ ...notice(noticeLine(body.notice, dialect)), buttons: buttonsOf(post, conversation.id) }];
    case "summary":
      return summaryContents(post, body, scene, limits, dialect);
    case "question": {
      const shown = questionContent(post, body, scene, limits.text, host, dialect);
      return [{ tone: "question", ...shown, buttons: choices(post, scene) }];
    }
    case "footer":
      return [{ tone: "footer", lead: footerText(body, scene, dialect), text: "", buttons: [] }];
  }
};

const pieces = (text: string, tone: Content["tone"], limits: Limits): readonly Content[] =>
  splitMarkdown(text, { units: "utf16", max: limits.text }).map((piece) => ({
    tone,
    text: piece,
    buttons: [],
  }));

/** The summary between the host's own words, the buttons below its end (BED-021). */
const summaryContents = (
  post: Post,
  body: PostBody & { readonly kind: "summary" },
  { words, conversation }: RenderScene,
  limits: Limits,
  { marks, markdown }: Dialect,
): readonly Content[] => {
  const { head, foot } = endedText(body, marks);
  const told = body.message === null ? "" : neutralise(answerText(words.get(body.message)));
  return [
    notice(`${hostMarks.warning} ${markdown(head)}`),
    ...(body.message === null ? [] : pieces(told, "notice", limits)),
    {
      ...notice(`${hostMarks.notice} ${markdown(foot)}`),
      buttons: buttonsOf(post, conversation.id),
    },
  ];
};

/** What sub-agents came to, where the progress told of them before. */
const agentsContents = (
  body: PostBody & { readonly kind: "activity" },
  { words }: RenderScene,
  { isPublic }: Dialect,
): readonly Content[] => {
  const ended = agentsEnded(body, words);
  if (ended === null) return [];
  const lead = `${hostMarks.notice} ${ended.head}${isPublic ? "" : ` · ${costText(ended.costMicroUsd)}`}`;
  return [{ ...notice(lead), text: neutralise(ended.lines.join("\n")) }];
};

/** PATCH-007: the diff of what a call changed, below one line of the host. */
const changeContents = (
  body: PostBody & { readonly kind: "activity" },
  { words }: RenderScene,
  limits: Limits,
  { code }: Dialect,
): readonly Content[] => {
  const change = changeOf(body, words, limits.text - MAX_CHANGED, neutralise);
  if (change === null) return [];
  const { path, added, removed, part } = change;
  const lead = `${hostMarks.notice} Changed ${code(path)} (+${added} −${removed})`;
  return [{ ...notice(lead), ...(part.kind === "file" ? { file: part.file } : { text: part.text }) }];
};

const attached = ({ file, size }: Part & { readonly kind: "file" }, { code }: Dialect): Content => ({
  ...notice(`${hostMarks.notice} ${code(file.name)} (${sizeText(size)})`),
  file,
});

const fileContent = (
  body: PostBody & { readonly kind: "file" },
  { words }: RenderScene,
  { code }: Dialect,
): Content => {
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

/** The end of the text, from a line or a word on; in a fence where the fence began before. */
const liveText = ({ live, status }: Progress): string => {
  if (status.agents !== undefined) return neutralise(agentLines(status.agents));
  if (live.length <= MAX_LIVE) return neutralise(live);
  const end = live.slice(-MAX_LIVE);
  const from = live.length - MAX_LIVE + Math.max(0, end.search(/\s/));
  const fences = live.slice(0, from).match(/^[ \t>]*(?:`{3}|~{3})/gm)?.length ?? 0;
  const shown = neutralise(`${fences % 2 === 1 ? "```\n" : ""}…${live.slice(from)}`);
  return splitMarkdown(shown, { units: "utf16", max: MAX_SHOWN }).at(-1) ?? "";
};
