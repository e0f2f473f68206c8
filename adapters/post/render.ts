/**
 * Renders posts as messages of a thread, equal on every chat platform except for the dialect. Pure. One turn
 * is one message (TH1); questions and actions of people outside of turns are separate messages. The host's
 * own words are the lead and the parts below, and model text cannot imitate them.
 */

import type { Button, Content, FilePart, MessagePiece, Progress, Renderer } from "../../src/ports/surface.ts";
import type { ReviewRenderer } from "../../src/ports/review.ts";
import type { Post, PostBody } from "../../src/thread/post.ts";
import { answerText } from "../../src/thread/visible-text.ts";
import { endedText } from "../../src/thread/continuation-wording.ts";
import { removeButtons } from "../../src/thread/waiting-text.ts";
import { maskedText, noticeText } from "../../src/thread/wording.ts";
import { agentLines } from "../text/agents.ts";
import { neutralize } from "../text/neutral.ts";
import { splitMarkdown } from "../text/split.ts";
import { buttonsOf, stepsButton } from "./buttons.ts";
import type { Dialect, RenderContext } from "./dialect.ts";
import { hintText, workingText } from "./phrases.ts";
import { questionContent } from "./question.ts";
import { pendingReviewContent, reviewContents, withheldContent } from "./review.ts";
import { openContents, turnContents } from "./turn.ts";

/** Space for the text around a summary. */
const MAX_FRAME = 600;
/**
 * Maximum length of streamed text in progress, of which the end is displayed. The answer contains all of it.
 */
const MAX_LIVE = 1_500;
const MAX_SHOWN = 3_000;

/** `approvers`: markup that names the approvers of a question, or the channel of their announcement. */
export const createRenderer = (dialect: Dialect, approvers?: string): Renderer & ReviewRenderer => {
  const { platform, code, italic, marks } = dialect;
  const { say } = marks;
  const reasonOf = (why: string, own: boolean): string =>
    own
      ? marks.plain(say.stored(why))
      : say("{platform} refused it ({why})", { platform, why: marks.plain(why) });
  const lostText = (files: readonly FilePart[], reason: string): string =>
    say(
      files.length === 1
        ? "{files} could not be attached here: {reason}. The console has it."
        : "{files} could not be attached here: {reason}. The console has them.",
      { files: files.map(({ name }) => code(name)).join(", "), reason },
    );
  return {
    post: (post, scene, limits) => {
      const contents = contentsOf(post, { scene, limits, dialect }, approvers);
      // A streamed message accepts no more files, so a turn with files needs another message.
      const isUpload = post.body.kind === "turn" && contents.some(({ files }) => files !== undefined);
      const key = isUpload ? `${post.key}/files` : post.key;
      return piecesOf(key, contents, post.final);
    },
    open: (turn, scene, limits, isLate) =>
      piecesOf(turn.key, openContents(turn, { scene, limits, dialect }, isLate), false),
    hint: (progress) => hintText(progress, say),
    progress: (progress) => ({
      tone: "status",
      lead: workingText(progress, marks),
      text: liveText(progress, dialect),
      buttons: [
        ...progress.status.actions.map(
          (): Button => ({ action: "stop", label: say("Stop"), value: progress.conversation }),
        ),
        ...(progress.reviewed === true ? [] : [stepsButton(progress.conversation, null, say)]),
        ...removeButtons(progress.status.waiting ?? [], say),
      ],
    }),
    review: (held, limits) => reviewContents(held, limits, dialect),
    refused: (why, { files, ...content }, own = false) =>
      files === undefined
        ? renderNotice(
            say("Part of this conversation cannot be displayed here: {reason}. The console displays it.", {
              reason: reasonOf(why, own),
            }),
          )
        : withLine(content, lostText(files, reasonOf(why, own))),
    masked: (count) => ({ kind: "host", text: maskedText(count, say) }),
    repeated: (content) => withLine(content, italic(say("This post may be a repeat."))),
  };
};

const piecesOf = (key: string, contents: readonly Content[], final: boolean): readonly MessagePiece[] =>
  contents.map((content, index) => ({ key: `${key}#${index}`, content, final }));

const withLine = (content: Content, text: string): Content => ({
  ...content,
  below: [...(content.below ?? []), { kind: "host", text }],
});

const contentsOf = (post: Post, frame: RenderContext, approvers: string | undefined): readonly Content[] => {
  const { body } = post;
  const { scene, dialect } = frame;
  const { say } = dialect.marks;
  switch (body.kind) {
    // Parts of the turn's message, which only the console displays separately.
    case "opening":
    case "user":
    case "answer":
    case "activity":
    case "file":
    case "footer":
      return [];
    case "turn":
      return turnContents(post, body, frame);
    case "notice": {
      if (body.folded === true) return [];
      const text = dialect.markdown(noticeText(body.notice, dialect.marks));
      return [{ ...renderNotice(text), buttons: buttonsOf(post, scene.conversation.id, say) }];
    }
    case "summary":
      return [summaryContent(post, body, frame)];
    case "question": {
      if (body.ask?.kind === "answer") return [pendingReviewContent(post, body, frame)];
      if (body.withheld === true) return [withheldContent(post, body, frame)];
      const content = questionContent(post, body, frame, approvers);
      const steps = stepsButton(scene.conversation.id, body.turn, say);
      return [{ ...content, buttons: [...content.buttons, steps] }];
    }
  }
};

/** Returns the summary between the host's own words, in one message. The rest becomes a file (BED-021). */
const summaryContent = (
  post: Post,
  body: PostBody & { readonly kind: "summary" },
  frame: RenderContext,
): Content => {
  const { limits, scene } = frame;
  const { words, conversation } = scene;
  const { marks, markdown, prose } = frame.dialect;
  const { head, foot } = endedText(body, marks);
  const isShown = body.message !== null && body.withheld !== true;
  const told = isShown ? answerText(words.get(body.message)) : "";
  const max = limits.text - MAX_FRAME;
  const [shown = "", ...more] = splitMarkdown(neutralize(prose?.(told) ?? told, []), {
    units: limits.units,
    max,
  });
  const file = {
    name: "summary.md",
    title: marks.say("The whole summary"),
    mediaType: "text/markdown",
    source: { kind: "text", text: told },
  } as const;
  return {
    tone: "notice",
    lead: markdown(head),
    text: shown,
    below: [{ kind: "host", text: markdown(foot) }],
    buttons: buttonsOf(post, conversation.id, marks.say),
    ...(more.length === 0 ? {} : { files: [file] }),
  };
};

/** Returns a message with the host's words alone. */
export const renderNotice = (lead: string): Content => ({ tone: "notice", lead, text: "", buttons: [] });

/** Returns the end of the text, from a line or a word on, inside a fence if the fence started before. */
const liveText = (progress: Progress, { prose, marks }: Dialect): string => {
  const { status, looked } = progress;
  const links = looked?.links ?? [];
  if (status.agents !== undefined) return neutralize(agentLines(status.agents, marks.say), []);
  // Converted like the final answer, because a table must become a list before it is cut (WD8).
  const live = prose?.(progress.live) ?? progress.live;
  if (live.length <= MAX_LIVE) return neutralize(live, links);
  const end = live.slice(-MAX_LIVE);
  const from = live.length - MAX_LIVE + Math.max(0, end.search(/\s/));
  const fences = live.slice(0, from).match(/^[ \t>]*(?:`{3}|~{3})/gm)?.length ?? 0;
  const shown = neutralize(`${fences % 2 === 1 ? "```\n" : ""}…${live.slice(from)}`, links);
  return splitMarkdown(shown, { units: "utf16", max: MAX_SHOWN }).at(-1) ?? "";
};
