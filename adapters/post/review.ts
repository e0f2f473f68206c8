/**
 * An answer that a maintainer reviews before it is posted. The thread of the answer gets one line. The review channel gets
 * the question, the answer as it would be posted, and the possible actions. Pure.
 */

import type { PendingReview } from "../../src/ports/review.ts";
import type { Button, Content, Limits } from "../../src/ports/surface.ts";
import type { Post, PostBody, TurnBody } from "../../src/thread/post.ts";
import { ERASED, type StoredContent } from "../../src/thread/prompt.ts";
import { personText } from "../../src/thread/visible-text.ts";
import {
  askText,
  capitalize,
  CHOICE_LABELS,
  DECISION_LABELS,
  stoppedText,
} from "../../src/thread/wording.ts";
import { fencedText } from "../text/changes.ts";
import { measure } from "../text/measure.ts";
import { neutralize } from "../text/neutral.ts";
import { splitMarkdown } from "../text/split.ts";
import type { Dialect, RenderContext } from "./dialect.ts";
import { costText } from "./phrases.ts";
import { questionContent } from "./question.ts";
import { quoteText } from "./quote.ts";
import { turnContents } from "./turn.ts";
import type { Say } from "../../src/i18n/say.ts";

const MAX_QUESTION = 800;
/** Maximum number of messages of a card, because a maintainer must see the whole answer. */
const MOST = 12;
/** Characters of a part's heading, including the text around it. */
const MAX_TITLE = 120;
/** Characters between the parts. */
const FRAME = 20;
/** Minimum space for an answer besides its question. */
const LEAST = 400;

type Question = PostBody & { readonly kind: "question" };

/** Line in the thread; after the decision the same line contains the outcome. */
export const pendingReviewContent = (
  { at }: Post,
  { decision, stopped }: Question,
  frame: RenderContext,
): Content => {
  const { marks, time } = frame.dialect;
  const { say } = marks;
  const line = { tone: "notice", text: "", buttons: [] } as const;
  if (decision === null)
    return {
      ...line,
      lead: say("The answer is ready. A maintainer reviews it before it is posted here."),
    };
  const by = marks.code(decision.by);
  if (stopped !== undefined) {
    const why =
      stopped === true
        ? say("Stopped by {by}.", { by })
        : stoppedText({ by: decision.by, why: stopped }, marks);
    return { ...line, lead: say("The answer is not posted. {why}", { why }) };
  }
  const when = time(decision.at, at);
  if (decision.choice !== "discard") return { ...line, lead: say("Reviewed by {by}, {when}.", { by, when }) };
  const reason = decision.comment === null ? "" : quoteText(saidIn(frame.scene.words.get(decision.comment)));
  const told = say("{by} decided not to post the answer, {when}.", { by, when });
  const lead = reason === "" ? `${told} ${say("Ask again in other words, or ask a maintainer.")}` : told;
  return { ...line, lead, text: reason };
};

/**
 * Line in the thread of a turn under review: a request waits, without its text. After the decision the line
 * contains the outcome.
 */
export const withheldContent = (
  { at }: Post,
  { decision, stopped }: Question,
  { dialect }: RenderContext,
): Content => {
  const { marks, bold, time } = dialect;
  const { say } = marks;
  const line = { tone: "notice", text: "", buttons: [] } as const;
  if (decision === null)
    return { ...line, lead: say("A request is waiting. The maintainers decide on it in their channel.") };
  const by = marks.code(decision.by);
  if (stopped === true) return { ...line, lead: say("Stopped by {by}.", { by }) };
  if (stopped !== undefined) return { ...line, lead: stoppedText({ by: decision.by, why: stopped }, marks) };
  const verdict = bold(say("Request: {decided}", { decided: say(DECISION_LABELS[decision.choice]) }));
  return { ...line, lead: say("{verdict} by {by}, {when}.", { verdict, by, when: time(decision.at, at) }) };
};

export const reviewContents = (held: PendingReview, limits: Limits, dialect: Dialect): readonly Content[] => {
  const { shown } = held;
  if (!("post" in shown))
    return [{ tone: "notice", lead: endText(held, shown, dialect), text: "", buttons: [] }];
  const { body, ...rest } = shown.post;
  return body.kind === "question"
    ? requestContents({ ...rest, body }, held, { scene: shown.scene, limits, dialect })
    : answerContents({ ...rest, body }, held, { scene: shown.scene, limits, dialect });
};

/**
 * Returns the whole card of a request. A text file follows as messages, because cards of the channel have no
 * files.
 */
const requestContents = (
  post: Post & { readonly body: Question },
  held: PendingReview,
  frame: RenderContext,
): readonly Content[] => {
  const { limits, dialect } = frame;
  const { say } = dialect.marks;
  const from = fromText(held, dialect);
  const room = { ...limits, text: Math.max(LEAST, limits.text - measure(from, limits.units) - FRAME) };
  const {
    files = [],
    buttons,
    ...content
  } = questionContent(post, post.body, { ...frame, limits: room }, undefined);
  const more = files.flatMap(({ name, title, source }) =>
    source.kind === "text" ? partsOf(title ?? name, neutralize(fencedText(source.text)), limits) : [],
  );
  const cut = say("The console shows the full text.");
  const shown = more.slice(0, MOST - 1);
  const [first, ...rest] = [
    { ...content, lead: [content.lead ?? "", from].join("\n") },
    ...shown.map(({ lead, text }) => ({ tone: "question", lead, text }) as const),
  ];
  const last = shown.length < more.length ? [{ kind: "host", text: cut } as const] : [];
  const all = first === undefined ? [] : [first, ...rest];
  return all.map((one, index): Content => {
    const isLast = index === all.length - 1;
    const below = [...("below" in one ? (one.below ?? []) : []), ...(isLast ? last : [])];
    return { ...one, below, buttons: isLast ? buttons : [] };
  });
};

const partsOf = (
  title: string,
  text: string,
  { units, text: max }: Limits,
): readonly { readonly lead: string; readonly text: string }[] =>
  splitMarkdown(text, { units, max: max - MAX_TITLE }).map((part) => ({ lead: title, text: part }));

const answerContents = (
  post: Post & { readonly body: TurnBody },
  held: PendingReview,
  { scene, limits, dialect }: RenderContext,
): readonly Content[] => {
  const lead = headText(held, dialect);
  const { asked } = post.body;
  const question =
    asked === undefined ? "" : `${quoteText(personText(scene.words.get(asked.message)), MAX_QUESTION)}\n\n`;
  const taken = measure(lead, limits.units) + measure(question, limits.units) + FRAME;
  const room = Math.max(LEAST, limits.text - taken);
  const contents = turnContents(post, post.body, { scene, limits: { ...limits, text: room }, dialect }, MOST);
  const last = contents.length - 1;
  return contents.map((one, index): Content => {
    const { reply: _, isFull: __, files = [], ...content } = one;
    const notices = content.lead === undefined ? "" : `\n${content.lead}`;
    const unsent = files.map(({ name }) => dialect.code(name)).join(", ");
    const below = [
      ...(content.below ?? []),
      ...(files.length === 0
        ? []
        : [
            {
              kind: "host",
              text: dialect.marks.say(
                "Files that are posted with the answer (shown in the console): {files}.",
                { files: unsent },
              ),
            } as const,
          ]),
    ];
    return {
      ...content,
      tone: "question",
      ...(index === 0 ? { lead: `${lead}${notices}`, text: `${question}${content.text}` } : {}),
      below,
      buttons: index === last ? buttonsOf(held, dialect.marks.say) : [],
    };
  });
};

const buttonsOf = ({ wire: value }: PendingReview, say: Say): readonly Button[] => [
  { action: "send", label: say(CHOICE_LABELS.send), value, spoken: say("Send this answer") },
  { action: "edit", label: say(CHOICE_LABELS.edit), value, spoken: say("Edit this answer and send it") },
  { action: "discard", label: say(CHOICE_LABELS.discard), value, spoken: say("Discard this answer") },
  {
    action: "discard_comment",
    label: say("Discard, and say why"),
    value,
    spoken: say("Discard this answer, and say why"),
  },
];

const headText = (held: PendingReview, dialect: Dialect): string =>
  `${dialect.bold(askText({ kind: "answer", place: "" }, dialect.marks))} ${fromText(held, dialect)}`;

const fromText = ({ asker, thread, costMicroUsd }: PendingReview, { marks }: Dialect): string => {
  const told = { thread: threadText(thread, marks), cost: costText(costMicroUsd) };
  return asker === null
    ? marks.say("Asked in {thread}, {cost}.", told)
    : marks.say("Asked by {asker} in {thread}, {cost}.", { ...told, asker: marks.code(asker) });
};

const endText = (
  { type, asker, thread, askedAt }: PendingReview,
  { status, by, at }: Extract<PendingReview["shown"], { readonly status: unknown }>,
  { bold, marks, time }: Dialect,
): string => {
  const { say } = marks;
  const told = { thread: threadText(thread, marks) };
  const ownTold = { ...told, asker: marks.code(asker ?? "") };
  const isAnswer = type === "answer";
  const what =
    asker === null
      ? say(isAnswer ? "the answer to a question in {thread}" : "a request in {thread}", told)
      : say(
          isAnswer ? "the answer to a question of {asker} in {thread}" : "a request of {asker} in {thread}",
          ownTold,
        );
  if (status === null || status === "pending" || status === "withdrawn" || by === null || at === null)
    return `${bold(say("No longer asked"))}: ${what}.`;
  return `${bold(say("{decided} by {by}", { decided: capitalize(say(DECISION_LABELS[status])), by: marks.code(by) }))}, ${time(at, askedAt)}: ${what}.`;
};

const threadText = (thread: string | null, { link, say }: Dialect["marks"]): string =>
  thread === null ? say("a thread") : link(say("its thread"), thread);

const saidIn = (words: StoredContent | undefined): string =>
  words?.kind === "comment" ? words.text : ERASED;
