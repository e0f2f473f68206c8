/**
 * Counts the questions of a week while they are read; the result does not depend on the pages. Keeps a few texts for display,
 * with possible secrets masked. Pure.
 */

import { DAY, type Millis, type PersonId } from "../../machine/id.ts";
import type { RepositoryBinding } from "../../ports/conversation.ts";
import type { Digest, DislikedAnswer, Topic } from "./digest.ts";
import type { AnswerFeedback } from "../../ports/feedback.ts";
import type { DigestTurn, DigestPeriod } from "./ports.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import { likeness, type Stems, stemsOf } from "../../text/stems.ts";
import { type TopicGroup, MOST_TOPICS, topicsOf } from "./topics.ts";
import { weekOf } from "./week.ts";

/** After this time, a repeated question counts as a new question. */
export const AGAIN: Millis = 7 * DAY;
/** Newest questions that form topics, and maximum number of answered questions that are remembered. */
const MOST_QUESTIONS = 5_000;
const MOST_ANSWERED = 50_000;
/** Answered questions of one person that a new one is compared with. */
const MOST_OF_ONE = 20;
/** Share of a question's words that an earlier question of the same person must contain. */
const ALIKE = 0.5;
/** Number of a topic's questions answered from code alone at which a page counts as missing. */
const MISSED = 3;
const SHOWN = 10;
const MOST_CITED = 20;
/** Maximum characters of a displayed question or reason. */
const LONGEST = 240;

interface Question {
  readonly at: Millis;
  readonly repo: RepositoryBinding;
  readonly text: string;
  readonly stems: Stems;
  readonly isUnanswered: boolean;
  readonly isDown: boolean;
  readonly isAgain: boolean;
  readonly isCodeOnly: boolean;
}

export const createTally = (span: DigestPeriod) => {
  const counts = { questions: 0, answered: 0, unanswered: 0, up: 0, down: 0, again: 0, stale: 0, solved: 0 };
  let spent = 0;
  const questions = createNewest<Question>(MOST_QUESTIONS);
  const unanswered = createNewest<string>(SHOWN);
  const disliked = createNewest<DislikedAnswer>(SHOWN);
  const stale = createNewest<string>(SHOWN);
  const cited = new Map<string, number>();
  const channels = new Set<string>();
  const asked = createAsked();

  return {
    /** Answered turns must come oldest first, starting `AGAIN` before the week. */
    add: (
      { at, asker, thread, repo, question, answer }: DigestTurn,
      received: AnswerFeedback | null,
    ): void => {
      const stems = question === null ? NONE : stemsOf(question);
      const isAgain = asked.again(repo, asker, stems, at);
      if (answer !== null) asked.answered(repo, asker, stems, at);
      if (at < span.from || at >= span.to) return;
      const { up = 0, down = 0, reasons = [], solved = null } = received ?? {};
      channels.add(thread === null ? "" : `${thread.surface} ${thread.place}`);
      counts.questions += 1;
      counts[answer === null ? "unanswered" : "answered"] += 1;
      counts.up += up;
      counts.down += down;
      counts.again += Number(isAgain);
      counts.stale += Number(answer?.isStale === true);
      counts.solved += Number(solved !== null || (up > 0 && down === 0));
      spent += answer?.cost ?? 0;
      for (const one of answer?.cited ?? []) cited.set(one, (cited.get(one) ?? 0) + 1);
      const text = question === null ? null : shown(question);
      if (down > 0) disliked.add({ question: text, reasons: reasons.slice(0, SHOWN).map(shown) });
      if (text === null) return;
      if (answer === null) unanswered.add(text);
      if (answer?.isStale === true) stale.add(text);
      const isCodeOnly = answer !== null && answer.cited.length > 0 && !answer.cited.some(isDocumentation);
      const standing = { isUnanswered: answer === null, isDown: down > 0, isAgain, isCodeOnly };
      questions.add({ at, repo, text, stems, ...standing });
    },
    end: (): Digest => ({
      week: weekOf(span.from),
      channels: channels.size,
      counts,
      spent,
      spentEach: counts.solved === 0 ? null : spent / counts.solved,
      ...grouped(questions.newest()),
      unanswered: unanswered.newest(),
      disliked: disliked.newest(),
      stale: stale.newest(),
      cited: [...cited]
        .map(([what, times]) => ({ what, times }))
        .toSorted((a, b) => b.times - a.times || (a.what < b.what ? -1 : 1))
        .slice(0, MOST_CITED),
    }),
  };
};

const NONE: Stems = new Map();

const grouped = (questions: readonly Question[]): Pick<Digest, "topics" | "others"> => {
  const topics = [...Map.groupBy(questions, ({ repo }) => repo.location).values()]
    .flatMap(topicsOf)
    .map(topicOf)
    .toSorted((a, b) => b.questions - a.questions || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_TOPICS);
  return { topics, others: topics.reduce((left, one) => left - one.questions, questions.length) };
};

const topicOf = ({ key, name, questions }: TopicGroup<Question>): Topic => {
  const [{ repo }] = questions;
  const codeOnly = questions.filter(({ isCodeOnly }) => isCodeOnly).length;
  return {
    key,
    name: shown(name),
    repo,
    questions: questions.length,
    unanswered: questions.filter(({ isUnanswered }) => isUnanswered).length,
    down: questions.filter(({ isDown }) => isDown).length,
    again: questions.filter(({ isAgain }) => isAgain).length,
    codeOnly,
    isMissed: codeOnly >= MISSED,
    asked: questions
      .toSorted((a, b) => b.at - a.at || (a.text < b.text ? -1 : 1))
      .slice(0, SHOWN)
      .map(({ text, at }) => ({ question: text, at })),
  };
};

const createAsked = () => {
  const same = createLruCache<Millis>(MOST_ANSWERED);
  const own = createLruCache<readonly { readonly at: Millis; readonly stems: Stems }[]>(MOST_ANSWERED);
  return {
    /** Whether the same words of any person, or most words of a question by the same person, were answered shortly before. */
    again: (repo: RepositoryBinding, asker: PersonId, stems: Stems, at: Millis): boolean => {
      const key = keyOf(repo, stems);
      if (key === null) return false;
      const before = same.get(key);
      if (before !== undefined && isNear(before, at)) return true;
      return (own.get(asker) ?? []).some((one) => isNear(one.at, at) && likeness(one.stems, stems) >= ALIKE);
    },
    answered: (repo: RepositoryBinding, asker: PersonId, stems: Stems, at: Millis): void => {
      const key = keyOf(repo, stems);
      if (key === null) return;
      same.set(key, at);
      own.set(asker, [...(own.get(asker) ?? []).slice(1 - MOST_OF_ONE), { at, stems }]);
    },
  };
};

const keyOf = ({ location }: RepositoryBinding, stems: Stems): string | null =>
  stems.size < 2 ? null : `${location}\n${[...stems.keys()].toSorted().join("\n")}`;

const isNear = (before: Millis, at: Millis): boolean => before < at && at - before <= AGAIN;

/** Keeps the last entries; returns the newest first. */
const createNewest = <One>(most: number) => {
  let all: One[] = [];
  return {
    add: (one: One): void => {
      all.push(one);
      if (all.length >= 2 * most) all = all.slice(-most);
    },
    newest: (): readonly One[] => all.slice(-most).toReversed(),
  };
};

const shown = (text: string): string => {
  const line = maskSecrets(text.slice(0, LONGEST * 4))
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1).toWellFormed()}…`;
};

/**
 * Whether a cited text is documentation for users. A page at an address counts, except for issues, discussions and similar
 * pages of a forge.
 */
const isDocumentation = (cited: string): boolean =>
  /^https?:\/\//i.test(cited)
    ? !/\/(?:-\/)?(?:issues|pull|pulls|merge_requests|discussions|releases)(?:\/|$)/.test(cited)
    : /\.(?:md|mdx|rst|adoc|txt|ipynb)$/i.test(cited) ||
      /(?:^|\/)(?:docs?|documentation|website|guides?)\//i.test(cited);
