/**
 * The question that a thread begins with is answered by what was answered before, where that is the same question, of the same
 * repository and version, in public on the same server, under the same instructions, still true and well received. Whatever is
 * in doubt is asked of the model.
 */

import { DAY } from "../../machine/id.ts";
import type { State } from "../../machine/state.ts";
import type { Answer, AnswerId, Answers } from "../../ports/answers/answers.ts";
import type { FeedbackReader } from "../../ports/answers/feedback.ts";
import type { Given, Reuse } from "../../ports/answers/reuse.ts";
import type { Conversation, Place } from "../../ports/conversation.ts";
import type { Clock } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import type { Threads } from "../../ports/surface.ts";
import type { Citation } from "../../text/citation.ts";
import { isOnlyQuestion, LONGEST_QUESTION } from "../../text/questions/form.ts";
import type { Likeness } from "../../text/questions/same.ts";
import type { TurnBody } from "../../thread/post.ts";
import type { Told } from "../../thread/prompt.ts";
import { answerText, citationsOf, linksOf } from "../../thread/spoken.ts";
import type { Routes } from "../chat/route.ts";
import { createAsked, type Found } from "./asked.ts";
import { given } from "../../text/given.ts";

interface ReuseDeps extends Pick<Routes, "readThread" | "link"> {
  readonly answers: Pick<Answers, "answersInPublic" | "answer">;
  readonly feedback: Pick<FeedbackReader, "received">;
  readonly store: Pick<Store, "load" | "words" | "post">;
  readonly threads: Pick<Threads, "thread">;
  /** The answer as it holds now; null where it does not. */
  readonly holding: (id: AnswerId) => Promise<Answer | null>;
  readonly clock: Clock;
  /** Days after which an answer is given no more. */
  readonly days: number;
}

/** Of those that fit, the best that are looked at closely. */
const MOST_TRIED = 3;

export const createReuse = (deps: ReuseDeps): Reuse => {
  const { answers, feedback, store, threads, holding, readThread, link, clock, days } = deps;
  const like = createAsked(answers, store);

  const find = async (
    conversation: Conversation,
    state: State,
    told: readonly Told[],
  ): Promise<Given | null> => {
    const question = questionIn(told);
    const thread = threads.thread(conversation.id);
    if (question === null || thread === null || !mayBeGiven(conversation, state)) return null;
    const since = clock.now() - days * DAY;
    const alike = await like(question, conversation.repo, since, (one) => isWithin(one, conversation));
    const found = alike
      .slice(0, MOST_TRIED)
      .filter(({ answer }) => isFit(answer, conversation, state))
      .filter(({ answer }) => isLiked(answer, alike));
    if (found.length === 0) return null;
    if (!(await isPublic(conversation.surface, thread))) return null;
    for (const { answer, likeness } of found) {
      const held = (await isStillPublic(answer)) ? await holding(answer) : null;
      if (held !== null) return give(held, likeness);
    }
    return null;
  };

  /** A thread that the answer will open is as public as its channel. */
  const isPublic = async (
    surface: string,
    { place, root }: Pick<Place, "place" | "root">,
  ): Promise<boolean> => {
    const facts =
      (await readThread(surface, { place, root })) ?? (await readThread(surface, { place, root: place }));
    return facts?.audience === "public";
  };

  /** Its channel may have become private since. */
  const isStillPublic = async ({ surface, thread }: Answer): Promise<boolean> =>
    thread !== null && (await isPublic(surface, thread));

  /** What a look at the two conversations can tell. */
  const isFit = (answer: Answer, conversation: Conversation, state: State): boolean => {
    const theirs = store.load(answer.conversation);
    const body = bodyOf(answer);
    if (theirs === null || body === null) return false;
    const { changes, files, notices, end } = body;
    const isWhole = end === "answered" && changes.length + files.length + notices.length === 0;
    const isSame =
      theirs.state.mode === state.mode &&
      theirs.conversation.instructions?.text === conversation.instructions?.text;
    const isHeld = answer.citations.some(({ status }) => status === "found");
    return isWhole && isSame && isHeld && hasReadCheckoutOnly(answer, theirs.state);
  };

  const bodyOf = ({ conversation, post }: Answer): TurnBody | null => {
    const body = store.post(conversation, post)?.post.body;
    return body?.kind === "turn" ? body : null;
  };

  /** By whoever read it, where it was given again too. */
  const isLiked = (answer: Answer, alike: readonly Found[]): boolean => {
    const copies = alike.flatMap(({ answer: one }) =>
      bodyOf(one)?.notices.some((it) => it.kind === "reused" && it.from === answer.conversation) ? one : [],
    );
    const received = feedback.received([answer, ...copies]);
    return received.reduce((sum, { up, down }) => sum + up - down, 0) >= 0;
  };

  const give = async (answer: Answer, likeness: Likeness): Promise<Given> => {
    const { conversation, message, at, thread, surface, base } = answer;
    const words = answer.said.map((id) => store.words([id]).get(id));
    const text = words.map((one) => answerText(one)).join("\n\n");
    const citations = words.flatMap((one) => citationsOf(one) ?? []).map((one) => readAt(one, base.commit));
    const address = thread === null ? null : await link(surface, thread);
    return {
      conversation,
      message,
      at,
      ...given({ link: address ?? undefined }),
      ...likeness,
      words: {
        kind: "answer",
        blocks: [{ kind: "text", text }],
        ...(citations.length === 0 ? {} : { citations }),
        links: words.flatMap((one) => linksOf(one) ?? []),
      },
    };
  };

  return { find };
};

/** The first words of a thread, where they are all that there is, are short and ask for nothing to be done. */
const questionIn = (told: readonly Told[]): string | null => {
  const [said, ...others] = told.filter(({ entry }) => entry.kind === "said" || entry.kind === "answer");
  if (said?.entry.kind !== "said" || said.words?.kind !== "said" || others.length > 0) return null;
  const { images, quoted } = said.entry;
  const { text, own } = said.words;
  const isAlone = images === 0 && quoted === undefined && own === undefined;
  return isAlone && text.length <= LONGEST_QUESTION && !WORK.test(text.trim()) ? text : null;
};

/** Something is to be made or changed. */
const WORK =
  /^(?:(?:please|pls|hey|hi|can you|could you|would you|will you|let's|i want you to|i need you to)[\s,]+)*(?:fix|add|implement|write|change|update|remove|delete|refactor|create|make|rename|bump|revert|merge|open|draft|propose|file|review|rewrite|port|migrate|convert|run)\b(?!.*\?)/i;

const mayBeGiven = ({ repo, origin }: Conversation, { kind, mode }: State): boolean =>
  kind === "thread" && origin === null && repo.beside === undefined && mode !== "implement";

/** Nobody but the asker of a question, with its words alone, could put anything into the answer. */
const hasReadCheckoutOnly = ({ citations }: Answer, { untrusted }: State): boolean =>
  untrusted === undefined && citations.every(({ quote }) => quote === undefined);

/** What is one's own is left out, and what others may not see. */
const isWithin = (answer: Answer, { id, surface, server, repo }: Conversation): boolean =>
  answer.conversation !== id &&
  answer.surface === surface &&
  answer.audience === "public" &&
  answer.standing !== "changed" &&
  answer.turn === 1 &&
  answer.question.isPlain &&
  isOnlyQuestion(answer.question.text) &&
  answer.thread !== null &&
  (answer.thread.server ?? "") === (server ?? "") &&
  answer.repo.beside === undefined &&
  answer.repo.kind === repo.kind &&
  answer.repo.location === repo.location &&
  answer.repo.ref === repo.ref;

const readAt = (citation: Citation, commit: string): Citation =>
  citation.quote === undefined && citation.at === undefined ? { ...citation, at: commit } : citation;
