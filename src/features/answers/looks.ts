/**
 * When answers are looked at again: at once when a forge tells of a push, every ten minutes else, and before one is given
 * again. One look after the other. What a look leaves undone, because the process ends or a remote is away, the next one does.
 */

import { DAY, type Millis } from "../../machine/id.ts";
import { type Answer, type AnswerId, type Answers, freshnessOf } from "../../ports/answers.ts";
import type { Tip } from "../../ports/commits.ts";
import type { ConversationChange } from "../../ports/bot.ts";
import type { Repo } from "../../ports/conversation.ts";
import type { Ambient } from "../../ports/host.ts";
import { createRepeatingTask } from "../../runtime/bot/rounds.ts";
import { createTurns } from "../../runtime/bot/turns.ts";
import type { CitationTracker } from "./citations/lines.ts";
import { answeredBranchOf, isPage, citedPartsOf } from "./parts.ts";
import { recheckAnswers, type RecheckDeps } from "./relook.ts";

interface LooksDeps extends RecheckDeps, Ambient {
  readonly answers: Answers;
  readonly lines: CitationTracker;
  /** Host and path at its forge, in lower case; null for what is on none. */
  readonly nameOf: (repo: Repo) => string | null;
  /** Who can read an answer has become known. */
  readonly placed?: (id: AnswerId) => void;
  /** Days after which an answer is looked at no more; 0: none is, but before it is given again. */
  readonly days: number;
}

export type AnswerRechecks = ReturnType<typeof createStalenessChecks>;

const EVERY: Millis = 10 * 60_000;
/** After a start other things come first. */
const FIRST: Millis = 30_000;
/** A remote is asked at most this often before answers are given again. */
const FRESH: Millis = 60_000;
/** Answers that are read at once. */
const PAGE = 100;
/** How long before it was heard of an answer may have been posted. */
const LATELY: Millis = 60_000;
/** How long after an answer its thread is asked for: a new one has to be there. */
const SETTLED: Millis = 5_000;

export const createStalenessChecks = (deps: LooksDeps) => {
  const { answers, lines, clock, log, days } = deps;
  const turns = createTurns();
  /** Since when answers may have been posted of which it was not asked who can read them. */
  let unplaced = clock.now() - DAY;
  /** Looks that have not begun, by what was pushed to. */
  const waiting = new Map<string, Promise<void>>();

  const inTurn = <T>(look: () => Promise<T>): Promise<T> => turns.take("", look);

  /** Their branches, as they were at `since` or later; those that cannot be read are left out. */
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

  /** Read in pieces, so that nobody else waits for long. */
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

  /** Those that quote pages, against what the index has now. */
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
      const facts = await deps.readThread(surface, thread);
      if (facts?.audience == null) continue;
      const stored = await answers.setAudience({ conversation, message }, facts.audience);
      if (stored.kind === "failed")
        log.warn("who can read an answer could not be stored", { code: stored.code });
      else deps.placed?.({ conversation, message });
    }
  };

  /** Who can read what was posted is asked once its thread is there; what is not told then, the next process asks again. */
  const placing = createRepeatingTask(clock, () => inTurn(place));

  return {
    start: () => {
      placing.wakeWithin(SETTLED);
      if (days > 0) rounds.wakeAfter(FIRST);
    },
    /** Host and path of a repository to which somebody has pushed. Settles when its answers were looked at. */
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
    /** A source of knowledge was read to its end. Settles when the answers that quote pages were looked at. */
    read: (): Promise<void> => inTurn(lookAtPages),
    heard: (change: ConversationChange) => {
      if (change.kind === "state" && change.overview.state.turn.end?.why === "answered")
        placing.wakeWithin(SETTLED);
    },
    /**
     * The answer as it holds at the newest commit of its branch; null where it does not, or that cannot be told. `since`: its
     * branch as it was then, or later; a minute ago where it is left out.
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
