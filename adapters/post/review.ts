/**
 * An answer that somebody looks at before it is posted: one line in its thread, and in the channel of those who look the
 * question, the answer as it would be posted, and what can be done with it. Pure.
 */

import type { MessageId } from "../../src/machine/id.ts";
import type { HeldAnswer } from "../../src/ports/answers/review.ts";
import type { Button, Content, Limits, RenderScene } from "../../src/ports/surface.ts";
import type { Post, PostBody } from "../../src/thread/post.ts";
import { ERASED, type Words } from "../../src/thread/prompt.ts";
import { askHead, CHOICE_LABELS, DECIDED, stoppedText } from "../../src/thread/wording.ts";
import { measure } from "../text/text.ts";
import type { Dialect } from "./dialect.ts";
import { costText } from "./phrases.ts";
import { quoted } from "./question.ts";
import { turnContents } from "./turn.ts";

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
export const heldContent = (
  { at }: Post,
  { decision, stopped }: Question,
  { words }: RenderScene,
  { marks, time }: Dialect,
): Content => {
  const line = { tone: "notice", text: "", buttons: [] } as const;
  if (decision === null)
    return { ...line, lead: "The answer is there. A maintainer looks at it before it is posted here." };
  const by = marks.code(decision.by);
  if (stopped !== undefined) {
    const why =
      stopped === true ? `Stopped by ${by}.` : stoppedText({ by: decision.by, why: stopped }, marks.code);
    return { ...line, lead: `The answer is not posted. ${why}` };
  }
  const when = time(decision.at, at);
  if (decision.choice !== "discard")
    return { ...line, lead: `A maintainer has looked at the answer: ${by}, ${when}.` };
  const reason = decision.comment === null ? "" : quoted(saidIn(words.get(decision.comment)));
  const lead = `The answer is not posted: ${by} decided so, ${when}.${reason === "" ? " Ask again in other words, or ask a maintainer." : ""}`;
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
  const contents = turnContents(post, post.body, scene, { ...limits, text: room }, dialect, MOST);
  const last = contents.length - 1;
  return contents.map((one, index): Content => {
    const { reply: _, isFull: __, files = [], ...content } = one;
    const notices = content.lead === undefined ? "" : `\n${content.lead}`;
    const unsent = files.map(({ name }) => dialect.code(name)).join(", ");
    const below = [
      ...(content.below ?? []),
      ...(files.length === 0
        ? []
        : [{ kind: "host", text: `Goes along, and the console shows it: ${unsent}.` } as const]),
    ];
    return {
      ...content,
      tone: "question",
      ...(index === 0 ? { lead: `${lead}${notices}`, text: `${question}${content.text}` } : {}),
      below,
      buttons: index === last ? buttonsOf(held) : [],
    };
  });
};

const buttonsOf = ({ wire: value }: HeldAnswer): readonly Button[] => [
  { action: "send", label: CHOICE_LABELS.send, value, spoken: "Send this answer" },
  { action: "edit", label: CHOICE_LABELS.edit, value, spoken: "Edit this answer and send it" },
  { action: "discard", label: CHOICE_LABELS.discard, value, spoken: "Discard this answer" },
  {
    action: "discard_comment",
    label: "Discard, and say why",
    value,
    spoken: "Discard this answer, and say why",
  },
];

const headText = ({ asker, thread, costMicroUsd }: HeldAnswer, { bold, marks }: Dialect): string => {
  const who = asker === null ? "Asked" : `Asked by ${marks.code(asker)}`;
  return `${bold(`${askHead({ kind: "answer", place: "" }, marks)}?`)} ${who} in ${threadText(thread, marks)}, ${costText(costMicroUsd)}.`;
};

const endText = (
  { asker, thread, askedAt }: HeldAnswer,
  { status, by, at }: Extract<HeldAnswer["shown"], { readonly status: unknown }>,
  { bold, marks, time }: Dialect,
): string => {
  const what = `the answer to ${asker === null ? "a question" : `a question of ${marks.code(asker)}`} in ${threadText(thread, marks)}`;
  if (status === null || status === "pending" || status === "withdrawn" || by === null || at === null)
    return `${bold("No longer asked")}: ${what}.`;
  return `${bold(`${DECIDED[status]} by ${marks.code(by)}`)}, ${time(at, askedAt)}: ${what}.`;
};

const threadText = (thread: string | null, { link }: Dialect["marks"]): string =>
  thread === null ? "a thread" : link("its thread", thread);

/** What the person wrote, without what was quoted for it. */
const ownIn = ({ words }: RenderScene, message: MessageId): string => {
  const said = words.get(message);
  return said?.kind === "said" ? said.text.slice(said.own?.said ?? 0).trim() : ERASED;
};

const saidIn = (words: Words | undefined): string => (words?.kind === "comment" ? words.text : ERASED);
