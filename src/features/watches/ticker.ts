/**
 * Schedules: each instant is one event, exactly once, despite restarts and clock changes. A missed instant runs once if it is
 * less than a day old; older instants are only reported.
 */

import { DAY, type Millis } from "../../machine/id.ts";
import type { SendAlert } from "../../ports/alerts.ts";
import type { Ambient } from "../../ports/host.ts";
import type { Instants } from "./instants.ts";
import { momentText } from "../../runtime/chat/people/reply-texts.ts";
import type { WatchSource, Watch } from "./store/watches.ts";
import { createRepeatingTask } from "../../runtime/bot/repeating-task.ts";
import type { RunningWatcher } from "./watcher.ts";

/** Maximum time between two checks of the clock, because the clock may be set. */
const LOOK: Millis = 60_000;
/** Maximum number of counted instants of one schedule; beyond this number, only the last day is counted. */
const MOST = 2_000;

interface TickerDeps extends Ambient {
  readonly watcher: Pick<RunningWatcher, "all" | "find" | "put" | "take">;
  /** Loaded with the first schedule. */
  readonly instants: () => Promise<Instants>;
  /** Posts in the channel of a watch. */
  readonly tell: (watch: Watch, line: Parameters<SendAlert>[1]) => ReturnType<SendAlert>;
}

export type Ticker = ReturnType<typeof createTicker>;

type Schedule = Watch & { readonly source: WatchSource & { readonly kind: "schedule" } };

export const createTicker = ({ watcher, instants, tell, clock, log }: TickerDeps) => {
  const schedules = (): readonly Schedule[] =>
    watcher
      .all()
      .flatMap((watch) =>
        watch.source.kind === "schedule" && watch.standing.kind === "on"
          ? [{ ...watch, source: watch.source }]
          : [],
      );

  const rounds = createRepeatingTask(clock, async () => {
    if (schedules().length === 0) return;
    const known = await instants();
    for (const schedule of schedules()) await run(known, schedule);
    const nexts = schedules().map(({ source }) => known.next(source, Math.max(source.last, clock.now())));
    const soonest = Math.min(...nexts.map((next) => next ?? Infinity)) - clock.now();
    if (schedules().length > 0) rounds.wakeAfter(Math.min(LOOK, Math.max(1, soonest)));
  });

  const run = async (known: Instants, schedule: Schedule): Promise<void> => {
    const due = dueOf(known, schedule, clock.now());
    const latest = due.at(-1);
    if (latest === undefined) return;
    const isLate = clock.now() - latest > DAY;
    const missed = isLate ? due.length : due.length - 1;
    if (missed > 0 && !(await tellMissed(schedule, due, missed, isLate))) return;
    if (!isLate) {
      const name = new Date(latest).toISOString();
      const { text } = schedule.source;
      const event = { watch: schedule.id, delivery: name, fingerprint: name, title: text, text, link: null };
      const taken = await watcher.take({ ...event, at: latest });
      if (taken.kind === "failed" || taken.kind === "full") return;
    }
    // The schedule may have been changed or removed in between.
    const now = watcher.find(schedule.id);
    if (now?.source.kind === "schedule")
      await watcher.put({ ...now, source: { ...now.source, last: latest } });
  };

  const tellMissed = async (
    schedule: Schedule,
    due: readonly Millis[],
    missed: number,
    isLate: boolean,
  ): Promise<boolean> => {
    const last = due[missed - 1] ?? 0;
    const told = await tell(schedule, {
      id: `missed ${schedule.id} ${last}`,
      text: missedText(schedule, missed, last, isLate),
    });
    if (told.kind === "refused")
      log.warn("watches: missed schedule not reported", { watch: schedule.id, why: told.why });
    return told.kind === "put";
  };

  return {
    /** Checks the schedules immediately, after a change. */
    wake: rounds.wake,
    close: rounds.close,
  };
};

/** Past unhandled instants, oldest first; if there are very many, only those of the last day. */
const dueOf = (known: Instants, { source }: Schedule, now: Millis): readonly Millis[] => {
  const due = between(known, source, source.last, now);
  return due.length < MOST ? due : between(known, source, now - DAY, now);
};

const between = (known: Instants, rule: Schedule["source"], from: Millis, to: Millis): readonly Millis[] => {
  const found: Millis[] = [];
  for (let at = known.next(rule, from); at !== null && at <= to && found.length < MOST; )
    at = known.next(rule, found[found.push(at) - 1] ?? to);
  return found;
};

const missedText = ({ id, source }: Schedule, missed: number, last: Millis, isLate: boolean): string => {
  const when = momentText(last);
  const times = missed === 1 ? `the one of ${when}` : `${missed} of them, the last of ${when}`;
  return `I was not running when the schedule ${id} (${source.spoken}) came: ${times}. ${isLate ? "That is more than a day ago, so it does not run." : "Only the newest runs."}`;
};
