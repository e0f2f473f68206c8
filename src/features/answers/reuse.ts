/**
 * Answers the first question of a thread with an earlier answer. The earlier question must have the same words, repository,
 * version and instructions, and must have been asked in public on the same server. The answer must still be true and well
 * received. In doubt the model is asked. Answers to similar questions are offered as links next to the model's answer.
 */

import { DAY } from "../../machine/id.ts";
import type { State } from "../../machine/state.ts";
import type { EarlierAnswer } from "../../machine/vocabulary.ts";
import type { Answer, AnswerId, Answers } from "../../ports/answers.ts";
import type { FeedbackReader } from "../../ports/feedback.ts";
import type { ReusedAnswer, AnswerReuse } from "../../ports/reuse.ts";
import type { Conversation, Place } from "../../ports/conversation.ts";
import type { Clock } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import type { Threads } from "../../ports/surface.ts";
import type { Citation } from "../../text/citation.ts";
import { LONGEST_QUESTION } from "./normalized-question.ts";
import type { TurnBody } from "../../thread/post.ts";
import type { TranscriptMessage } from "../../thread/prompt.ts";
import { answerText, citationsOf, linksOf } from "../../thread/visible-text.ts";
import type { Core } from "../../feature.ts";
import { createQuestionIndex } from "./question-index.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

interface ReuseDeps extends Pick<Core, "readThread" | "link"> {
  readonly answers: Pick<Answers, "answersInPublic" | "answer">;
  readonly feedback: Pick<FeedbackReader, "received">;
  readonly store: Pick<Store, "load" | "words" | "post">;
  readonly threads: Pick<Threads, "thread">;
  /** The answer in its current state; null if the answer is no longer true. */
  readonly holding: (id: AnswerId) => Promise<Answer | null>;
  readonly clock: Clock;
  /** Days after which an answer is not reused any more. */
  readonly days: number;
}

/** Maximum number of answers whose posts are read, the newest or the most similar. */
const MOST_READ = 100;
/** Maximum number of suitable answers that are compared with their branch. */
const MOST_TRIED = 3;

interface Posted {
  readonly answer: Answer;
  readonly body: TurnBody;
}

export const createReuse = (deps: ReuseDeps): AnswerReuse => {
  const { answers, feedback, store, threads, holding, readThread, link, clock, days } = deps;
  const asked = createQuestionIndex(answers);

  const find = async (
    conversation: Conversation,
    state: State,
    told: readonly TranscriptMessage[],
  ): Promise<ReusedAnswer | null> => {
    const found = await search("same", conversation, state, told, (one) => isFit(one, conversation, state));
    for (const { answer } of found) {
      const held = await stillTrue(answer);
      if (held !== null) return give(held);
    }
    return null;
  };

  const similar = async (
    conversation: Conversation,
    state: State,
    told: readonly TranscriptMessage[],
  ): Promise<readonly EarlierAnswer[]> => {
    const offered: EarlierAnswer[] = [];
    for (const { answer } of await search("similar", conversation, state, told, () => true)) {
      const held = await stillTrue(answer);
      const address = held?.thread == null ? null : await link(held.surface, held.thread);
      if (held !== null && address !== null)
        offered.push({ conversation: held.conversation, at: held.at, link: address });
    }
    return offered;
  };

  /** Finds complete, well received answers to the first question of a public conversation. */
  const search = async (
    how: "same" | "similar",
    conversation: Conversation,
    state: State,
    told: readonly TranscriptMessage[],
    isMeant: (one: Posted) => boolean,
  ): Promise<readonly Posted[]> => {
    const question = questionIn(told);
    const thread = threads.thread(conversation.id);
    if (question === null || thread === null || !mayBeGiven(conversation, state)) return [];
    const since = clock.now() - days * DAY;
    const answered = await asked[how](question, since, (one) => isWithin(one, conversation));
    const all = answered.slice(0, MOST_READ).flatMap(postedOf);
    const found = all.filter((one) => isWhole(one) && isMeant(one) && isLiked(one, all)).slice(0, MOST_TRIED);
    return found.length > 0 && (await isPublic(conversation.surface, thread)) ? found : [];
  };

  /** A thread that does not exist yet is as public as its channel. */
  const isPublic = async (
    surface: string,
    { place, root }: Pick<Place, "place" | "root">,
  ): Promise<boolean> => {
    const facts =
      (await readThread(surface, { place, root })) ?? (await readThread(surface, { place, root: place }));
    return facts?.audience === "public";
  };

  /** Null if the answer is no longer true, or its channel has become private. */
  const stillTrue = async (answer: Answer): Promise<Answer | null> => {
    const { surface, thread } = answer;
    return thread !== null && (await isPublic(surface, thread)) ? holding(answer) : null;
  };

  /** Whether the answer may replace the model's, as far as the two conversations show. */
  const isFit = ({ answer }: Posted, conversation: Conversation, state: State): boolean => {
    const theirs = store.load(answer.conversation);
    return (
      theirs !== null &&
      theirs.state.mode === state.mode &&
      theirs.conversation.instructions?.text === conversation.instructions?.text &&
      hasReadCheckoutOnly(answer, theirs.state)
    );
  };

  const postedOf = (answer: Answer): readonly Posted[] => {
    const body = store.post(answer.conversation, answer.post)?.post.body;
    return body?.kind === "turn" ? [{ answer, body }] : [];
  };

  /** Whether readers liked the answer, in all threads that reused it. */
  const isLiked = ({ answer }: Posted, all: readonly Posted[]): boolean => {
    const copies = all.filter(({ body }) =>
      body.notices.some((one) => one.kind === "reused" && one.from === answer.conversation),
    );
    const received = feedback.received([answer, ...copies.map((one) => one.answer)]);
    return received.reduce((sum, { up, down }) => sum + up - down, 0) >= 0;
  };

  const give = async (answer: Answer): Promise<ReusedAnswer> => {
    const { conversation, message, at, thread, surface, base } = answer;
    const words = answer.said.map((id) => store.words([id]).get(id));
    const text = words.map((one) => answerText(one)).join("\n\n");
    const citations = words.flatMap((one) => citationsOf(one) ?? []).map((one) => readAt(one, base.commit));
    const address = thread === null ? null : await link(surface, thread);
    return {
      conversation,
      message,
      at,
      ...omitUndefined({ link: address ?? undefined }),
      words: {
        kind: "answer",
        blocks: [{ kind: "text", text }],
        ...(citations.length === 0 ? {} : { citations }),
        links: words.flatMap((one) => linksOf(one) ?? []),
      },
    };
  };

  return { find, similar };
};

/** Whether the turn changed and attached nothing, ended without a notice, and has a citation that can be checked. */
const isWhole = ({ answer, body: { changes, files, notices, end } }: Posted): boolean =>
  end === "answered" &&
  changes.length + files.length + notices.length === 0 &&
  answer.citations.some(({ status }) => status === "found");

/** The first message of a thread, if that message is the only one, short, and requests no change. */
const questionIn = (told: readonly TranscriptMessage[]): string | null => {
  const [said, ...others] = told.filter(({ entry }) => entry.kind === "said" || entry.kind === "answer");
  if (said?.entry.kind !== "said" || said.words?.kind !== "said" || others.length > 0) return null;
  const { images, quoted } = said.entry;
  const { text, own } = said.words;
  const isAlone = images === 0 && quoted === undefined && own === undefined;
  return isAlone && text.length <= LONGEST_QUESTION && !WORK.test(text.trim()) ? text : null;
};

/** Requests to make or change something. */
const WORK =
  /^(?:(?:please|pls|hey|hi|can you|could you|would you|will you|let's|i want you to|i need you to)[\s,]+)*(?:fix|add|implement|write|change|update|remove|delete|refactor|create|make|rename|bump|revert|merge|open|draft|propose|file|review|rewrite|port|migrate|convert|run)\b(?!.*\?)/i;

const mayBeGiven = ({ repo, origin }: Conversation, { kind, mode }: State): boolean =>
  kind === "thread" && origin === null && repo.beside === undefined && mode !== "implement";

/** Whether only the asker's own question and the checkout could influence the answer. */
const hasReadCheckoutOnly = ({ citations }: Answer, { untrusted }: State): boolean =>
  untrusted === undefined && citations.every(({ quote }) => quote === undefined);

/** Excludes answers of the same conversation, and answers that other people must not see. */
const isWithin = (answer: Answer, { id, surface, server, repo }: Conversation): boolean =>
  answer.conversation !== id &&
  answer.surface === surface &&
  answer.audience === "public" &&
  answer.standing !== "changed" &&
  answer.turn === 1 &&
  answer.question.isPlain &&
  answer.thread !== null &&
  (answer.thread.server ?? "") === (server ?? "") &&
  answer.repo.beside === undefined &&
  answer.repo.kind === repo.kind &&
  answer.repo.location === repo.location &&
  answer.repo.ref === repo.ref;

const readAt = (citation: Citation, commit: string): Citation =>
  citation.quote === undefined && citation.at === undefined ? { ...citation, at: commit } : citation;
