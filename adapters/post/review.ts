/**
 * An answer that somebody looks at before it is posted: one line in its thread, and in the channel of those who look the
 * question, the answer as it would be posted, and what can be done with it. Pure.
 */

import type { MessageId } from "../../src/machine/id.ts";
import type { HeldAnswer } from "../../src/ports/answers/review.ts";
import type { Button, Content, Limits, RenderScene } from "../../src/ports/surface.ts";
import type { Post, PostBody } from "../../src/thread/post.ts";
import { ERASED, type Words } from "../../src/thread/prompt.ts";
import { askText, capitalised, CHOICE_LABELS, DECIDED, stoppedText } from "../../src/thread/wording.ts";
import { measure } from "../text/measure.ts";
import type { Dialect, Frame } from "./dialect.ts";
import { costText } from "./phrases.ts";
import { quoted } from "./question.ts";
import { turnContents } from "./turn.ts";
import type { Say } from "../../src/words/say.ts";

/** Characters of the question. */
const MAX_QUESTION = 800;
/** Messages that a card may have: whoever looks at an answer has to see all of it. */
const MOST = 12;
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
      lead: say("The answer is there. A maintainer looks at it before it is posted here."),
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
  if (decision.choice !== "discard")
    return { ...line, lead: say("A maintainer has looked at the answer: {by}, {when}.", { by, when }) };
  const reason = decision.comment === null ? "" : quoted(saidIn(frame.scene.words.get(decision.comment)));
  const told = say("The answer is not posted: {by} decided so, {when}.", { by, when });
  const lead = reason === "" ? `${told} ${say("Ask again in other words, or ask a maintainer.")}` : told;
  return { ...line, lead, text: reason };
};

/** Where somebody looks at it. */
export const reviewContents = (held: HeldAnswer, limits: Limits, dialect: Dialect): readonly Content[] => {
  const { shown } = held;
  if (!("post" in shown))
    return [{ tone: "notice", lead: endText(held, shown, dialect), text: "", buttons: [] }];
  const { post, scene } = shown;
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
              text: dialect.marks.say("Goes along, and the console shows it: {files}.", { files: unsent }),
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

const headText = ({ asker, thread, costMicroUsd }: HeldAnswer, { bold, marks }: Dialect): string => {
  const told = { thread: threadText(thread, marks), cost: costText(costMicroUsd) };
  const asked =
    asker === null
      ? marks.say("Asked in {thread}, {cost}.", told)
      : marks.say("Asked by {asker} in {thread}, {cost}.", { ...told, asker: marks.code(asker) });
  return `${bold(askText({ kind: "answer", place: "" }, marks))} ${asked}`;
};

const endText = (
  { asker, thread, askedAt }: HeldAnswer,
  { status, by, at }: Extract<HeldAnswer["shown"], { readonly status: unknown }>,
  { bold, marks, time }: Dialect,
): string => {
  const { say } = marks;
  const told = { thread: threadText(thread, marks) };
  const what =
    asker === null
      ? say("the answer to a question in {thread}", told)
      : say("the answer to a question of {asker} in {thread}", { ...told, asker: marks.code(asker) });
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
