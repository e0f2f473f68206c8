/**
 * Turns events into threads: each event is stored before it is acknowledged, handled once, and limited (D45).
 *
 * W1 an event is on the disk when `take` resolves, and the same delivery is the same event, even days later. W2 each event
 * starts one thread or is counted in one, despite any crash. W3 a watch starts its threads one after the other and within its
 * limits; further events wait. W4 a watch that fails three times in a row is switched off.
 */

import { type ConversationId, HOUR, type Millis } from "../../machine/id.ts";
import type { FailureKind } from "../../machine/vocabulary.ts";
import type { AlertFacts } from "../../ports/alerts.ts";
import type { ConversationChange } from "../../ports/bot.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { HandleResult, InboxRow } from "../../ports/chat.ts";
import { type Done, type Log, pause } from "../../ports/host.ts";
import type { Watch, Watcher, WatchEvent, WatchRows, WatchThread } from "./store/watches.ts";
import { createTurns } from "../../runtime/bot/turns.ts";
import { createInbox } from "../../runtime/chat/inbox.ts";
import { type Began, type BeginDeps, beginThread, watchOf } from "./begin.ts";
import { joinsThread, MOST_FAILURES, MOST_WAITING, verdictOf } from "./limits.ts";
import { createCounts } from "./counts.ts";
import { clipped } from "./clip.ts";
import { follow, type FollowDeps } from "./follow.ts";
import { isPost, type PostReader } from "./people/post-reader.ts";

/** Maximum time that a held event waits before it is checked again, because its watch may have changed. */
const LOOK: Millis = 30_000;
/** Waits after failures that may pass. */
const AGAIN: readonly Millis[] = [2_000, 4_000, 8_000];

export interface WatcherDeps extends Omit<BeginDeps, "rows" | "ledger"> {
  readonly ledger: BeginDeps["ledger"] & FollowDeps["ledger"];
  readonly rows: WatchRows;
  readonly store: BeginDeps["store"] & Pick<ChatStore, "arrive" | "settle" | "unhandled" | "forget">;
  readonly money: (watch: string) => Parameters<typeof verdictOf>[0]["money"];
  /** Null if the event is invalid. */
  readonly parse: (body: unknown) => WatchEvent | null;
  readonly alert: (key: string, facts: AlertFacts | null) => void;
  readonly log: Log;
  /** Absent if no watch reads posts of people. */
  readonly people?: PostReader;
}

export type RunningWatcher = ReturnType<typeof createWatcher>;

export const createWatcher = (deps: WatcherDeps) => {
  const { rows, clock, log } = deps;
  const ending = new AbortController();
  const watches = new Map(rows.watches().map((watch) => [watch.id, watch]));
  const waiting = new Map<string, number>();
  const held = new Map<string, "hour" | "money">();
  const turns = createTurns();
  /** Times when each watch reported outcomes of pull requests. */
  const followed = new Map<string, readonly Millis[]>();
  /** Conversations in a turn of a watch. */
  const working = new Set<ConversationId>();
  const counts = createCounts({ ...deps, find: (id) => watches.get(id) ?? null });
  let isStarted = false;
  let resuming: Promise<void> = Promise.resolve();

  const take: Watcher["take"] = async (given) => {
    const event = clipped(given);
    const off = offOf(watches.get(event.watch));
    if (off !== null) return { kind: "off", why: off };
    if ([...waiting.values()].reduce((sum, one) => sum + one, 0) >= MOST_WAITING) return { kind: "full" };
    start();
    count(event.watch, 1);
    const id = `${event.watch}/${event.delivery}`;
    const arrived = await inbox.arrive({ id, lane: `${event.watch}/${event.fingerprint}`, body: event });
    if (arrived.kind !== "stored") count(event.watch, -1);
    return arrived;
  };

  const count = (watch: string, by: number): void => {
    const now = (waiting.get(watch) ?? 0) + by;
    if (now > 0) waiting.set(watch, now);
    else waiting.delete(watch);
    if (now <= 0 && held.delete(watch)) deps.alert(`watch ${watch}`, null);
  };

  const handle = async (row: InboxRow): Promise<HandleResult> => {
    const event = deps.parse(row.body);
    if (event === null) return "done";
    // An event that joins a thread does not wait behind held events.
    const joined = await join(event, row.id);
    const handled = joined ? "done" : await turns.take(event.watch, () => settle(event, row.id));
    if (handled === "done") count(event.watch, -1);
    return handled;
  };

  /** Counts the event in the thread of its matter; returns false if the matter has no thread. */
  const join = async (event: WatchEvent, inboxId: string): Promise<boolean> => {
    const thread = threadFor(event);
    if (thread === null) return false;
    const joined = await rows.join(thread.conversation, inboxId, clock.now());
    if (joined.kind === "done") counts.tell();
    return joined.kind === "done";
  };

  /** The thread of the event's matter, if further events join that thread. */
  const threadFor = (event: WatchEvent): WatchThread | null => {
    const found = deps.people?.threadFor(event) ?? rows.newest(event.watch, event.fingerprint);
    return found !== null && joinsThread(found, clock.now()) && placeOf(found.event) === placeOf(event)
      ? found
      : null;
  };

  const verdictFor = (
    { id: watch, perHour }: Watch,
    { follows }: WatchEvent,
  ): ReturnType<typeof verdictOf> => {
    const now = clock.now();
    const begun = [...rows.begunSince(watch, now - HOUR), ...followedSince(watch, now - HOUR)];
    // A report costs nothing.
    const money = follows === undefined ? deps.money(watch) : FREE;
    return verdictOf({ now, begun: begun.toSorted((a, b) => a - b), perHour, money });
  };

  const followedSince = (watch: string, since: Millis): readonly Millis[] =>
    (followed.get(watch) ?? []).filter((at) => at > since);

  const enact = async (watch: Watch, event: WatchEvent, inboxId: string): Promise<Began> => {
    const { follows } = event;
    if (follows === undefined) return beginThread(deps, watch, event, inboxId);
    const { most, spent } = deps.money(watch.id);
    const done = await follow(deps, watch, { ...event, follows }, inboxId, most === null || spent < most);
    const now = clock.now();
    if (done.kind === "begun") followed.set(watch.id, [...followedSince(watch.id, now - HOUR), now]);
    return done;
  };

  /** Runs until the event has started or joined a thread, its watch is gone, or the process ends. */
  const settle = async (event: WatchEvent, inboxId: string): Promise<HandleResult> => {
    for (let troubles = 0; !ending.signal.aborted; ) {
      const watch = watches.get(event.watch);
      if (watch === undefined || watch.standing.kind === "off") {
        log.warn("watches: event dropped, watch removed or off", { watch: event.watch });
        return "done";
      }
      if (await join(event, inboxId)) return "done";
      if (deps.people !== undefined && isPost(event)) {
        const answered = await deps.people.answer(watch, event, inboxId, ending.signal);
        if (answered !== "begin") return answered;
      }
      const verdict = verdictFor(watch, event);
      if (verdict.kind !== "begin" || watch.standing.kind === "paused") {
        if (verdict.kind === "wait" && event.person !== undefined) {
          deps.people?.left(watch, verdict.why);
          return "done";
        }
        const until = verdict.kind === "wait" ? verdict.until - clock.now() : LOOK;
        if (verdict.kind === "wait") hold(watch.id, verdict.why);
        await pause(clock, Math.min(LOOK, Math.max(1, until)), ending.signal);
      } else {
        const began = await enact(watch, event, inboxId);
        if (began.kind === "begun") {
          // A person may have asked below the post first; the thread is then no look.
          if (isPost(event) && rows.thread(began.conversation) !== null)
            await deps.people?.begun(watch, event, began.conversation, ending.signal);
          return "done";
        }
        log.warn("watches: event not posted", { watch: watch.id, why: began.why });
        const wait = AGAIN[Math.min(troubles, AGAIN.length - 1)] ?? LOOK;
        if (began.kind === "failed") {
          troubles += 1;
          if (troubles > AGAIN.length) {
            // A deleted thread or post is not a fault of the watch.
            if (event.follows === undefined && event.person === undefined) await fail(watch.id, began.why);
            return "done";
          }
        }
        await pause(clock, wait, ending.signal);
      }
    }
    return "later";
  };

  const hold = (watch: string, bound: "hour" | "money"): void => {
    if (held.get(watch) === bound) return;
    held.set(watch, bound);
    deps.alert(`watch ${watch}`, { kind: "watch", watch, bound });
  };

  /** W4. */
  const fail = async (id: string, why: string): Promise<void> => {
    const watch = watches.get(id);
    if (watch === undefined) return;
    const failures = watch.failures + 1;
    const isOff = failures >= MOST_FAILURES && watch.standing.kind === "on";
    await put({ ...watch, failures, ...(isOff ? { standing: { kind: "off", why } } : {}) });
    if (isOff) deps.alert(`watch off ${id}`, { kind: "watchOff", watch: id, why });
  };

  const put = async (watch: Watch): Promise<Done> => {
    const done = await rows.putWatch(watch);
    if (done.kind === "failed") {
      log.error("watches: watch not stored", { watch: watch.id, code: done.code });
      return done;
    }
    watches.set(watch.id, watch);
    if (watch.standing.kind !== "off") deps.alert(`watch off ${watch.id}`, null);
    return done;
  };

  const inbox = createInbox({
    surface: "watch",
    store: deps.store,
    clock,
    log,
    slots: { take: (signal) => Promise.resolve(signal.aborted ? null : () => undefined) },
    handle,
    gap: { isOpen: () => false, begin: () => undefined },
    stored: () => undefined,
  });

  const resume = async (): Promise<void> => {
    for (const watch of watches.values())
      if (watch.source.kind === "people") await deps.people?.resume(watch, ending.signal);
  };

  const start = (): void => {
    if (isStarted) return;
    isStarted = true;
    inbox.start();
  };

  return {
    take,

    find: (id: string): Watch | null => watches.get(id) ?? null,
    queue: (id: string) => ({ waiting: waiting.get(id) ?? 0, held: held.get(id) ?? null }),
    all: (): readonly Watch[] => [...watches.values()],
    /** Removes a watch; its waiting events are dropped. */
    drop: async (id: string): Promise<Done> => {
      const done = await rows.dropWatch(id);
      if (done.kind === "done") {
        watches.delete(id);
        deps.alert(`watch off ${id}`, null);
      }
      return done;
    },
    /** Called with every change of every conversation. */
    heard: (id: ConversationId, change: ConversationChange): void => {
      if (change.kind !== "state") return;
      const { turn, phase } = change.overview.state;
      const watch = turn.speaker === null ? null : watchOf(turn.speaker.id);
      if (watch === null) return;
      if (turn.end === null && phase.kind !== "failed") {
        working.add(id);
        return;
      }
      if (!working.delete(id)) return;
      const found = watches.get(watch);
      if (phase.kind === "failed") {
        if (!ITS_MONEY.has(phase.failure.kind)) void fail(watch, phase.failure.message);
      } else if (turn.end?.why === "answered" && found !== undefined && found.failures > 0)
        void put({ ...found, failures: 0 });
    },
    /** Stores a watch; later events use the new version. */
    put,
    /** Reads the watches again after another host has changed them. */
    renew: () => {
      watches.clear();
      for (const watch of rows.watches()) watches.set(watch.id, watch);
    },
    /** Handles events that the last process left. */
    start: () => {
      if (isStarted) return;
      for (const row of deps.store.unhandled("watch")) {
        const event = deps.parse(row.body);
        if (event !== null) count(event.watch, 1);
      }
      if (watches.size > 0 || waiting.size > 0) start();
      counts.start();
      resuming = resume();
    },
    close: async () => {
      ending.abort();
      await Promise.all([isStarted ? inbox.close() : null, counts.close(), resuming]);
    },
  };
};

/** The channel of a person's post; null for events of the watch's own channel. */
const placeOf = ({ person }: WatchEvent): string | null => person?.place ?? null;

const FREE = { most: null, spent: 0, renewsAt: 0 };

/** Failures of a turn that are not the fault of its watch. */
const ITS_MONEY: ReadonlySet<FailureKind> = new Set(["budget", "costly"]);

const offOf = (watch: Watch | undefined): string | null => {
  if (watch === undefined) return "There is no such watch.";
  return watch.standing.kind === "off" ? `It is off: ${watch.standing.why}` : null;
};
