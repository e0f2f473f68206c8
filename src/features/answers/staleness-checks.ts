/**
 * Schedules checks of answers: immediately after a forge reports a push, otherwise every ten minutes, and before an answer is
 * reused. One check runs at a time. If the process ends or a remote is unreachable, the next check does the rest.
 */

import { DAY, type Millis } from "../../machine/id.ts";
import { type Answer, type AnswerId, type Answers, freshnessOf } from "../../ports/answers.ts";
import type { Tip } from "../../ports/commits.ts";
import type { ConversationChange } from "../../ports/bot.ts";
import type { Repo } from "../../ports/conversation.ts";
import type { Ambient } from "../../ports/host.ts";
import { createRepeatingTask } from "../../runtime/bot/repeating-task.ts";
import { createTurns } from "../../runtime/bot/turns.ts";
import type { CitationTracker } from "./citations/lines.ts";
import { answeredBranchOf, isPage, citedPartsOf } from "./parts.ts";
import { recheckAnswers, type RecheckDeps } from "./recheck-answers.ts";

interface LooksDeps extends RecheckDeps, Ambient {
  readonly answers: Answers;
  readonly lines: CitationTracker;
  /** Host and path at the forge, in lower case; null if the repository is on no forge. */
  readonly nameOf: (repo: Repo) => string | null;
  /** Called when the audience of an answer is known. */
  readonly placed?: (id: AnswerId) => void;
  /** Days after which an answer is not checked any more; 0: checks happen only before reuse. */
  readonly days: number;
}

export type AnswerRechecks = ReturnType<typeof createStalenessChecks>;

const EVERY: Millis = 10 * 60_000;
/** Lets more urgent work run first after a start. */
const FIRST: Millis = 30_000;
/** Shortest time between two requests to a remote before reuse. */
const FRESH: Millis = 60_000;
const PAGE = 100;
/** Longest delay between the post of an answer and its event. */
const LATELY: Millis = 60_000;
/** Delay before the thread of an answer is read: a new thread must exist first. */
const SETTLED: Millis = 5_000;

export const createStalenessChecks = (deps: LooksDeps) => {
  const { answers, lines, clock, log, days } = deps;
  const turns = createTurns();
  /** Start of the period in which answers with an unknown audience may have been posted. */
  let unplaced = clock.now() - DAY;
  /** Checks that have not started, by the repository of the push. */
  const waiting = new Map<string, Promise<void>>();

  const inTurn = <T>(look: () => Promise<T>): Promise<T> => turns.take("", look);

  /** Branch tips as of `since` or later; unreachable branches are left out. */
  const tipsOf = async (
    wanted: readonly Answer[],
    isMeant: (repo: Repo) => boolean,
    since: Millis,
  ): Promise<ReadonlyMap<string, Tip>> => {
    const repos = new Map(
      wanted.flatMap((one) =>
        citedPartsOf(one).flatMap(({ repo }) =>
          isMeant(repo) ? [[answeredBranchOf(repo), repo] as const] : [],
        ),
      ),
    );
    const tips = new Map<string, Tip>();
    for (const [branch, repo] of repos) {
      const found = await lines.tip(repo, since, ending);
      if (found.kind === "tip") tips.set(branch, found.tip);
    }
    return tips;
  };

  /** Reads in pages, so that other work does not wait for long. */
  const recent = async (isMeant: (answer: Answer) => boolean): Promise<readonly Answer[]> => {
    const since = clock.now() - days * DAY;
    const found: Answer[] = [];
    for (let last: Answer | null = null; ; ) {
      const page = answers.answersPage(since, last, PAGE);
      found.push(...page.filter(isMeant));
      last = page.at(-1) ?? null;
      if (page.length < PAGE) return found;
      await new Promise(setImmediate);
    }
  };

  const look = async (isMeant: (repo: Repo) => boolean, since: Millis): Promise<void> => {
    if (ending.aborted || days === 0) return;
    const meant = await recent((one) => citedPartsOf(one).some(({ repo }) => isMeant(repo)));
    if (meant.length === 0) return;
    const tips = await tipsOf(meant, isMeant, since);
    await recheckAnswers(deps, meant, tips, ending);
  };

  const lookAtPages = async (): Promise<void> => {
    if (ending.aborted || days === 0) return;
    const meant = await recent(({ citations }) => citations.some(isPage));
    if (meant.length > 0) await recheckAnswers(deps, meant, new Map(), ending);
  };

  const rounds = createRepeatingTask(clock, async () => {
    await inTurn(() => look(() => true, clock.now() - FRESH));
    rounds.wakeAfter(EVERY);
  });
  const { ending } = rounds;

  const place = async (): Promise<void> => {
    const since = unplaced;
    unplaced = clock.now() - LATELY;
    for (const { thread, surface, conversation, message } of answers.answersUnplaced(since)) {
      if (ending.aborted || thread === null) continue;
      const facts = await deps.readThread(surface, thread, "lately");
      if (facts?.audience == null) continue;
      const stored = await answers.setAudience({ conversation, message }, facts.audience);
      if (stored.kind === "failed")
        log.warn("answers: audience of an answer not stored", { code: stored.code });
      else deps.placed?.({ conversation, message });
    }
  };

  /** Reads the audience of answers once their thread exists; the next process retries failed reads. */
  const placing = createRepeatingTask(clock, () => inTurn(place));

  return {
    start: () => {
      placing.wakeWithin(SETTLED);
      if (days > 0) rounds.wakeAfter(FIRST);
    },
    /** Checks the answers of a repository after a push; `name` is the repository's host and path. Resolves after the check. */
    pushed: (name: string): Promise<void> => {
      const known = waiting.get(name);
      if (known !== undefined) return known;
      const next = inTurn(() => {
        waiting.delete(name);
        return look((repo) => deps.nameOf(repo) === name, clock.now());
      });
      waiting.set(name, next);
      return next;
    },
    /** Called when a knowledge source was read completely. Resolves when answers that quote pages are checked. */
    read: (): Promise<void> => inTurn(lookAtPages),
    heard: (change: ConversationChange) => {
      if (change.kind === "state" && change.overview.state.turn.end?.why === "answered")
        placing.wakeWithin(SETTLED);
    },
    /**
     * Returns the answer if it is still true at the newest commit of its branch, otherwise or if undecidable null. The branch
     * is read as of `since` or later; if absent, as of a minute ago.
     */
    holding: (id: AnswerId, since: Millis = clock.now() - FRESH): Promise<Answer | null> =>
      inTurn(async () => {
        const before = answers.answer(id);
        if (before === null || before.standing === "changed") return null;
        const tips = await tipsOf([before], () => true, since);
        const isWhole = await recheckAnswers(deps, [before], tips, ending);
        const now = answers.answer(id);
        const isLooked = (one: Answer): boolean =>
          citedPartsOf(one).every(({ repo }, index) => {
            const tip = tips.get(answeredBranchOf(repo));
            return tip !== undefined && one.looked[index] === tip.commit;
          });
        return isWhole && now !== null && freshnessOf(now.citations) !== "changed" && isLooked(now)
          ? now
          : null;
      }),
    close: async () => {
      await Promise.all([rounds.close(), placing.close(), turns.settled()]);
    },
  };
};
