/**
 * Digests, computed on each request and never stored, so that no digest contains erased text. A week is read in pages, one
 * digest at a time, so that other work does not wait.
 */

import type { Bot } from "../../ports/bot.ts";
import type { Addresses } from "../../ports/chat-platform.ts";
import type { Digest } from "./digest.ts";
import { type FeedbackReader, nameOfAnswer } from "../../ports/feedback.ts";
import type { DigestTurn, DigestRows, Digests, DigestScope, TurnSelection, TurnPage } from "./ports.ts";
import type { Clock, RandomId } from "../../ports/host.ts";
import { english, type Sentence } from "../../i18n/say.ts";
import { titleOf } from "../../runtime/bot/title.ts";
import { createTurns } from "../../runtime/bot/turns.ts";
import { compose, NOTHING } from "../../runtime/chat/compose.ts";
import { AGAIN, createTally } from "./tally.ts";
import { spanOf, WEEK, weekOf } from "./week.ts";

/** Maximum number of threads of a week whose audience is read. */
const MOST_ASKED = 200;

export interface DigestsDeps {
  readonly rows: DigestRows;
  readonly feedback: Pick<FeedbackReader, "received">;
  /** Audience of a thread, or of a channel if `root` is null. */
  readonly audience: (
    surface: string,
    place: string,
    root: string | null,
  ) => ReturnType<Addresses["audience"]>;
  readonly bot: Pick<Bot, "create" | "say">;
  readonly clock: Pick<Clock, "now">;
  readonly randomId: RandomId;
}

export const createDigests = (deps: DigestsDeps): Digests => {
  const { rows, feedback, clock, audience: audienceOf } = deps;
  const turns = createTurns();

  const read = (scope: DigestScope, week: string): Promise<Digest> =>
    turns.take("", () => readWeek(scope, week));

  const readWeek = async (scope: DigestScope, week: string): Promise<Digest> => {
    const span = spanOf(week) ?? spanOf(weekOf(clock.now())) ?? NEVER;
    const isClosed =
      scope?.of === "own" ||
      (scope !== null && (await audienceOf(scope.surface, scope.place, null)) === "private");
    const reach: TurnSelection = { ...span, channel: scope, others: scope?.of === "readers", isClosed };
    const tally = createTally(span);
    const before = { ...reach, from: span.from - AGAIN };
    for await (const turns of pages((from) => rows.answeredTurns(before, from))) {
      const judged = turns.flatMap(({ answer }) => (answer?.isJudged === true ? answer : []));
      const received = new Map(feedback.received(judged).map((one) => [nameOfAnswer(one), one]));
      for (const turn of turns)
        tally.add(turn, turn.answer === null ? null : (received.get(nameOfAnswer(turn.answer)) ?? null));
    }
    const told = createTold(scope, isClosed);
    for await (const turns of pages((from) => rows.unansweredTurns(reach, from)))
      for (const turn of turns) if (await told(turn)) tally.add(turn, null);
    return tally.end();
  };

  /** Whether readers of the digest may see a turn whose audience is not stored. An unknown audience counts as private. */
  const createTold = (scope: DigestScope, isClosed: boolean) => {
    const known = new Map<string, boolean>();
    return async ({ thread }: DigestTurn): Promise<boolean> => {
      if (scope === null || (isClosed && thread?.place === scope.place)) return true;
      if (thread === null) return false;
      const key = `${thread.place} ${thread.root}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      if (known.size >= MOST_ASKED) return false;
      const isTold = (await audienceOf(thread.surface, thread.place, thread.root)) === "public";
      known.set(key, isTold);
      return isTold;
    };
  };

  const channel: Digests["channel"] = (surface, place) =>
    rows.digests().find((one) => one.surface === surface && one.place === place) ?? null;

  const task: Digests["task"] = async (scope, week, topic, say) => {
    const { topics } = await read(scope, week);
    const found = topics.find(({ key }) => key === topic);
    if (found === undefined) return GONE;
    const { name, repo, questions, asked } = found;
    return {
      kind: "task",
      text: say(TASK, { name, week, questions }),
      shown: asked.map(({ question, at }) => ({ author: "somebody who asked", text: question, at })),
      repo,
    };
  };

  return {
    read,
    thisWeek: () => weekOf(clock.now()),
    channel,
    on: (wanted) => {
      const now = clock.now();
      const told = channel(wanted.surface, wanted.place)?.told ?? weekOf(now - WEEK);
      return rows.putDigest({ ...wanted, told, at: now });
    },
    off: (surface, place) => rows.dropDigest(surface, place),
    task,
    draft: async (scope, week, topic, speaker) => {
      const wanted = await task(scope, week, topic, english);
      if (wanted.kind === "refused") return wanted;
      const { text, shown, repo } = wanted;
      const surface = "console";
      const created = await deps.bot.create({ surface, repo, title: titleOf(text), by: speaker.id });
      if (created.kind === "failed") return created;
      const { id: conversation } = created.overview.conversation;
      const said = await deps.bot.say({
        surface,
        id: deps.randomId(),
        conversation,
        speaker,
        ...compose(text, { ...NOTHING, shown }),
        images: [],
        quoted: { messages: 0, previews: shown.length, files: 0, pictures: 0 },
      });
      return said.kind === "failed" ? said : { kind: "begun", conversation };
    },
  };
};

const TASK =
  'In the week of {week}, {questions} questions about "{name}" had no documentation page. Draft that page. Some of the questions are shown with this message. Find out where this repository keeps its documentation and how the pages are written. Then write a page, or a part of a page, that answers these questions from the current code, and propose the text as a draft. Do not name the people who asked.' satisfies Sentence;

const NEVER = { from: 0, to: 0 };

const GONE = {
  kind: "refused",
  why: "There is no such topic any more: its questions were withdrawn, or are no longer stored.",
} as const;

/** Lets other work run between two pages. */
async function* pages(page: (from: string | null) => TurnPage): AsyncGenerator<TurnPage["turns"]> {
  for (let from: string | null = null; ; ) {
    const { turns, next }: TurnPage = page(from);
    yield turns;
    if (next === null) return;
    from = next;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
