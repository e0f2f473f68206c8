/**
 * An answer that somebody looks at before it is posted: one line in its thread, and in the channel of those who look the
 * question, the answer as it would be posted, and what can be done with it. Pure.
 */

import type { MessageId } from "../../src/machine/id.ts";
import type { HeldAnswer } from "../../src/ports/review.ts";
import type { Button, Content, Limits, RenderScene } from "../../src/ports/surface.ts";
import type { Post, PostBody, TurnBody } from "../../src/thread/post.ts";
import { ERASED, type Words } from "../../src/thread/prompt.ts";
import { askText, capitalised, CHOICE_LABELS, DECIDED, stoppedText } from "../../src/thread/wording.ts";
import { fenced } from "../text/changes.ts";
import { measure } from "../text/measure.ts";
import { neutralise } from "../text/neutral.ts";
import { splitMarkdown } from "../text/split.ts";
import type { Dialect, Frame } from "./dialect.ts";
import { costText } from "./phrases.ts";
import { askedContent, quoted } from "./question.ts";
import { turnContents } from "./turn.ts";
import type { Say } from "../../src/i18n/say.ts";

/** Characters of the question. */
const MAX_QUESTION = 800;
/** Messages that a card may have: whoever looks at an answer has to see all of it. */
const MOST = 12;
/** Characters of the heading of a part, with what stands around it. */
const MAX_TITLE = 120;
/** What stands between its parts. */
const FRAME = 20;
/** That an answer has at least beside its question. */
const LEAST = 400;

type Question = PostBody & { readonly kind: "question" };

/** In the thread; once it is decided the same line says how. */
export const heldContent = ({ at }: Post, { decision, stopped }: Question, frame: Frame): Content => {
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
  const reason = decision.comment === null ? "" : quoted(saidIn(frame.scene.words.get(decision.comment)));
  const told = say("{by} decided not to post the answer, {when}.", { by, when });
  const lead = reason === "" ? `${told} ${say("Ask again in other words, or ask a maintainer.")}` : told;
  return { ...line, lead, text: reason };
};

/** In the thread of a held turn: a request waits, and none of its words is told. Once it is decided the line says how. */
export const withheldContent = (
  { at }: Post,
  { decision, stopped }: Question,
  { dialect }: Frame,
): Content => {
  const { marks, bold, time } = dialect;
  const { say } = marks;
  const line = { tone: "notice", text: "", buttons: [] } as const;
  if (decision === null)
    return { ...line, lead: say("A request is waiting. The maintainers decide on it in their channel.") };
  const by = marks.code(decision.by);
  if (stopped === true) return { ...line, lead: say("Stopped by {by}.", { by }) };
  if (stopped !== undefined) return { ...line, lead: stoppedText({ by: decision.by, why: stopped }, marks) };
  const verdict = bold(say("Request: {decided}", { decided: say(DECIDED[decision.choice]) }));
  return { ...line, lead: say("{verdict} by {by}, {when}.", { verdict, by, when: time(decision.at, at) }) };
};

/** Where somebody looks at it. */
export const reviewContents = (held: HeldAnswer, limits: Limits, dialect: Dialect): readonly Content[] => {
  const { shown } = held;
  if (!("post" in shown))
    return [{ tone: "notice", lead: endText(held, shown, dialect), text: "", buttons: [] }];
  const { body, ...rest } = shown.post;
  return body.kind === "question"
    ? requestContents({ ...rest, body }, held, { scene: shown.scene, limits, dialect })
    : answerContents({ ...rest, body }, held, { scene: shown.scene, limits, dialect });
};

/** The whole card of a request. A file of text follows as messages, since the channel's cards have no files. */
const requestContents = (
  post: Post & { readonly body: Question },
  held: HeldAnswer,
  frame: Frame,
): readonly Content[] => {
  const { limits, dialect } = frame;
  const { say } = dialect.marks;
  const from = fromText(held, dialect);
  const room = { ...limits, text: Math.max(LEAST, limits.text - measure(from, limits.units) - FRAME) };
  const {
    files = [],
    buttons,
    ...content
  } = askedContent(post, post.body, { ...frame, limits: room }, undefined);
  const more = files.flatMap(({ name, title, source }) =>
    source.kind === "text" ? partsOf(title ?? name, neutralise(fenced(source.text)), limits) : [],
  );
  const cut = say("The console shows all of it.");
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
  held: HeldAnswer,
  { scene, limits, dialect }: Frame,
): readonly Content[] => {
  const lead = headText(held, dialect);
  const { asked } = post.body;
  const question = asked === undefined ? "" : `${quoted(ownIn(scene, asked.message), MAX_QUESTION)}\n\n`;
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

const buttonsOf = ({ wire: value }: HeldAnswer, say: Say): readonly Button[] => [
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

const headText = (held: HeldAnswer, dialect: Dialect): string =>
  `${dialect.bold(askText({ kind: "answer", place: "" }, dialect.marks))} ${fromText(held, dialect)}`;

const fromText = ({ asker, thread, costMicroUsd }: HeldAnswer, { marks }: Dialect): string => {
  const told = { thread: threadText(thread, marks), cost: costText(costMicroUsd) };
  return asker === null
    ? marks.say("Asked in {thread}, {cost}.", told)
    : marks.say("Asked by {asker} in {thread}, {cost}.", { ...told, asker: marks.code(asker) });
};

const endText = (
  { type, asker, thread, askedAt }: HeldAnswer,
  { status, by, at }: Extract<HeldAnswer["shown"], { readonly status: unknown }>,
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
  return `${bold(say("{decided} by {by}", { decided: capitalised(say(DECIDED[status])), by: marks.code(by) }))}, ${time(at, askedAt)}: ${what}.`;
};

const threadText = (thread: string | null, { link, say }: Dialect["marks"]): string =>
  thread === null ? say("a thread") : link(say("its thread"), thread);

/** What the person wrote, without what was quoted for it. */
const ownIn = ({ words }: RenderScene, message: MessageId): string => {
  const said = words.get(message);
  return said?.kind === "said" ? said.text.slice(said.own?.said ?? 0).trim() : ERASED;
};

const saidIn = (words: Words | undefined): string => (words?.kind === "comment" ? words.text : ERASED);
