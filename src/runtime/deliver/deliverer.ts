/**
 * The deliverer of one connection to a chat platform: brings its threads to what is stored (design.md idea 3).
 *
 * Owns: which thread is served next and how many calls the connection makes. Does not own: what a thread lacks
 * (thread, plan), how a post looks (renderer). D1 it runs from stored posts: a crash is only a difference that is
 * not closed yet. D2 between threads questions go first, then messages, then changes, then progress; within a rank
 * whoever was served longest ago.
 */

import type { ConversationId, Millis } from "../../core/id.ts";
import { effectivePermission } from "../../core/state.ts";
import type { Change } from "../ports.ts";
import type { Progress } from "../ports-surface.ts";
import { createBucket, RANKS } from "./bucket.ts";
import { createRoutes } from "./routes.ts";
import { createThread, type Ready, type ThreadDelivery, type ThreadDeps } from "./thread.ts";

/** How long a shutdown waits for messages that can still be delivered. */
const DRAIN_FOR: Millis = 5_000;

export interface DelivererDeps extends ThreadDeps {
  /** Name of the connection: threads bound to it are this deliverer's. */
  readonly name: string;
}

export interface Deliverer {
  /** Every change of every conversation, after its commit. */
  heard(id: ConversationId, change: Change): void;
  /** Brings every thread that is behind up to date. */
  start(): void;
  /** Settles when no call and no write is in flight and none can be made before a timer fires. */
  quiet(): Promise<void>;
  /** Delivers what can be delivered within 5 s, then makes no further call. */
  close(): Promise<void>;
}

interface Served {
  readonly delivery: ThreadDelivery;
  progress: Progress | null;
}

export const createDeliverer = (deps: DelivererDeps): Deliverer => {
  const { surface, ledger, clock, name } = deps;
  const threads = new Map<ConversationId, Served>();
  /** Threads that may have something to do; who was served last stands last. */
  const eager = new Set<ConversationId>();
  const waiting: (() => void)[] = [];
  let flying = 0;
  let scheduled = false;
  let closed = false;

  const schedule = (): void => {
    if (scheduled || closed) return;
    scheduled = true;
    queueMicrotask(pump);
  };

  const wakeAll = (): void => {
    for (const id of threads.keys()) eager.add(id);
    schedule();
  };

  const routes = createRoutes(clock, wakeAll);
  const bucket = createBucket(clock, surface.limits, schedule);
  const streams = (): number =>
    [...threads.values()].filter(({ delivery }) => delivery.showsProgress()).length;

  const pump = (): void => {
    scheduled = false;
    if (closed) return;
    while (flying < surface.limits.parallel) {
      const best = pick();
      if (best === null || !mayGo(best.ready)) break;
      eager.delete(best.id);
      void fly(best.ready);
    }
    if (flying === 0 && !scheduled) for (const settle of waiting.splice(0)) settle();
  };

  const mayGo = ({ rank }: Ready): boolean => rank === "disk" || bucket.take(rank);

  const fly = async (ready: Ready): Promise<void> => {
    flying += 1;
    await ready.run();
    flying -= 1;
    schedule();
  };

  /** Threads with nothing to do leave the eager ones until they are woken. */
  const pick = (): { readonly id: ConversationId; readonly ready: Ready } | null => {
    let best: { readonly id: ConversationId; readonly ready: Ready } | null = null;
    for (const id of eager) {
      const ready = threads.get(id)?.delivery.next() ?? null;
      if (ready === null) sleep(id);
      else if (best === null || rank(ready) < rank(best.ready)) best = { id, ready };
    }
    return best;
  };

  const sleep = (id: ConversationId): void => {
    eager.delete(id);
    if (threads.get(id)?.delivery.idle() === true) threads.delete(id);
  };

  const open = (id: ConversationId): Served | null => {
    const known = threads.get(id);
    if (known !== undefined) return known;
    const row = ledger.thread(id);
    if (row === null || row.thread.surface !== name) return null;
    const delivery = createThread(row, deps, { routes, streams }, () => {
      eager.add(id);
      schedule();
    });
    const served: Served = { delivery, progress: null };
    threads.set(id, served);
    return served;
  };

  const heard = (id: ConversationId, change: Change): void => {
    switch (change.kind) {
      case "posts":
        return open(id)?.delivery.changed();
      case "state": {
        const served = change.status === null ? threads.get(id) : open(id);
        return show(served ?? null, progressOf(change, served?.progress?.live ?? ""));
      }
      case "live": {
        const served = threads.get(id) ?? null;
        const now = served?.progress ?? null;
        return show(served, now === null ? null : { ...now, live: change.text });
      }
      case "progress":
        return;
    }
  };

  const show = (served: Served | null, progress: Progress | null): void => {
    if (served === null) return;
    served.progress = progress;
    served.delivery.progress(progress);
  };

  const quiet = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      schedule();
      if (closed) resolve();
    });

  return {
    heard,
    start: () => {
      for (const { thread } of ledger.behind(name)) open(thread.conversation)?.delivery.changed();
    },
    quiet,
    close: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(DRAIN_FOR, resolve);
      await Promise.race([quiet(), late]);
      cancel();
      closed = true;
    },
  };
};

const progressOf = (
  { status, overview: { conversation, state } }: Change & { kind: "state" },
  live: string,
): Progress | null =>
  status === null
    ? null
    : {
        conversation: conversation.id,
        status,
        live,
        permission: effectivePermission(state),
        context: state.context.used / state.context.window,
        asker: state.turn.speaker?.id ?? null,
      };

const rank = (ready: Ready): number => (ready.rank === "disk" ? -1 : RANKS.indexOf(ready.rank));
