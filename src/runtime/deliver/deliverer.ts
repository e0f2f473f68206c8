/**
 * D1 Delivery starts from stored posts (idea 3), so a crash leaves only a difference that is not closed yet. D2 Between
 * threads, questions come first, then messages, then changes, then progress; within a rank, the longest wait. D3 Progress of a
 * thread is rendered when the thread's turn has come, so that other streamed text costs nothing here.
 */

import type { ConversationId, Millis } from "../../machine/id.ts";
import { effectivePermission, type State } from "../../machine/state.ts";
import type { ConversationChange } from "../../ports/bot.ts";
import type { LateThread } from "../../ports/figures.ts";
import { atMost } from "../../ports/host.ts";
import type { CheckedPrefix, Progress, Renderer, RenderScene } from "../../ports/surface.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import { callDoing } from "../../thread/call-text.ts";
import type { ThreadStatus } from "../../thread/post.ts";
import { callInput } from "../../thread/prompt.ts";
import { sayIn } from "../../i18n/languages.ts";
import type { Language, Say } from "../../i18n/say.ts";
import { DRAIN } from "../bot/drain.ts";
import { createCallBudgets } from "./call-budgets.ts";
import { createQueue, type CallSpend, type WaitingSend } from "./queue.ts";
import { createRoutes } from "./routes.ts";
import { createThread, type ReadySend, type ThreadDelivery, type ThreadDeps } from "./thread.ts";
import { createSafeRenderer } from "./safe-renderer.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

interface DelivererDeps extends Omit<ThreadDeps, "fault" | "renderer"> {
  readonly name: string;
  readonly renderer: (say: Say) => Renderer;
  readonly languageAt: (place: string) => Language;
  /** Called if a post of the conversation cannot be rendered. */
  readonly fault: (conversation: ConversationId) => void;
}

export type Deliverer = ReturnType<typeof createDeliverer>;

const LATE: Millis = 60_000;
/** Interval of the search for stale threads that no event reported: SWEEP after activity, IDLE_SWEEP otherwise. */
const SWEEP: Millis = 60_000;
const IDLE_SWEEP: Millis = 150_000;
/** Most threads that are checked in one turn of the event loop. */
const LOOKS = 8;

interface Served {
  readonly delivery: ThreadDelivery;
  readonly language: Language;
  progress: Progress | null;
}

export const createDeliverer = (deps: DelivererDeps) => {
  const fault = (conversation: ConversationId, error: unknown): void => {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    deps.log.error("delivery: post not rendered, sent as plain text", {
      conversation,
      why,
    });
    deps.fault(conversation);
  };
  const depsAt = (place: string): ThreadDeps => {
    const say = sayIn(deps.languageAt(place));
    const failed = ({ conversation }: Pick<RenderScene, "conversation">, error: unknown): void =>
      fault(conversation.id, error);
    return { ...deps, renderer: createSafeRenderer(deps.renderer(say), say, failed), fault };
  };
  const { surface, ledger, clock, name, log } = deps;
  const threads = new Map<ConversationId, Served>();
  const woken = new Set<ConversationId>();
  const waiting: (() => void)[] = [];
  const leaving: (() => void)[] = [];
  let flying = 0;
  let scheduled = false;
  let closed = false;
  let cancelSweep: (() => void) | null = null;
  let isSweepNear = false;
  let told: ReadonlySet<ConversationId> = new Set();

  const schedule = (): void => {
    if (scheduled || closed) return;
    scheduled = true;
    queueMicrotask(pump);
  };

  const wakeAll = (): void => {
    for (const id of threads.keys()) woken.add(id);
    schedule();
  };

  const routes = createRoutes(clock, wakeAll);
  const budgets = createCallBudgets(clock, schedule);
  const queue = createQueue<ConversationId>(budgets);

  const pump = (): void => {
    scheduled = false;
    if (closed) return;
    while (flying < surface.limits.parallel) {
      if (!look()) return;
      const first = queue.first();
      if (first === null) break;
      serve(first.id, first.rank, first.spend);
    }
    if (flying > 0 || scheduled) return;
    for (const settle of waiting.splice(0)) settle();
    if (leaving.length > 0 && !owes()) for (const leave of leaving.splice(0)) leave();
  };

  /** Returns false if it yielded to the event loop first, because rendering many threads takes long. */
  const look = (): boolean => {
    let looked = 0;
    for (const id of woken) {
      if (looked === LOOKS) {
        scheduled = true;
        setImmediate(pump);
        return false;
      }
      looked += 1;
      woken.delete(id);
      file(id, threads.get(id)?.delivery.glimpse() ?? null);
    }
    return true;
  };

  const file = (id: ConversationId, waiting: WaitingSend | null): void => {
    queue.file(id, waiting);
    if (waiting === null && threads.get(id)?.delivery.idle() === true) threads.delete(id);
  };

  /** Rendering may change the next step. If it does, the thread waits for the new step. */
  const serve = (id: ConversationId, expected: WaitingSend["rank"], spend: CallSpend | null): void => {
    const ready = threads.get(id)?.delivery.next() ?? null;
    const isExpected =
      spend === null
        ? ready?.spends.length === 0
        : ready?.spends.some(
            ({ call, budget }) => call === spend.call && budget.name === spend.budget.name,
          ) === true;
    if (ready?.rank !== expected || !isExpected) return file(id, ready);
    queue.file(id, null);
    if (spend !== null) budgets.take(spend.budget);
    void fly(ready, spend);
  };

  const owes = (): boolean => [...threads.values()].some(({ delivery }) => delivery.owes());

  const fly = async (ready: ReadySend, spend: CallSpend | null): Promise<void> => {
    flying += 1;
    await ready.run(spend?.call ?? null);
    flying -= 1;
    schedule();
  };

  const open = (id: ConversationId): Served | null => {
    const known = threads.get(id);
    if (known !== undefined) return known;
    const row = ledger.thread(id);
    if (row === null || row.surface !== name) return null;
    const delivery = createThread(row, depsAt(row.place), { routes, budgets }, () => {
      woken.add(id);
      schedule();
    });
    const served: Served = { delivery, progress: null, language: deps.languageAt(row.place) };
    threads.set(id, served);
    return served;
  };

  const heard = (id: ConversationId, change: ConversationChange): void => {
    if (cancelSweep !== null && !isSweepNear) sweepAfter(SWEEP);
    switch (change.kind) {
      case "posts":
        return open(id)?.delivery.changed();
      case "state": {
        const served = change.status === null ? (threads.get(id) ?? null) : open(id);
        if (served === null) return;
        served.delivery.stepped(change.overview);
        return show(served, progressOf(change, served, deps));
      }
      case "live": {
        const served = threads.get(id);
        if (served === undefined || served.progress === null || served.progress.reviewed === true) return;
        return show(served, { ...served.progress, live: change.text, ...lookedOf(change) });
      }
      case "progress":
        return;
      case "gone":
        return leave(id);
    }
  };

  /** The thread of a deleted conversation stays as it is on the platform. */
  const leave = (id: ConversationId): void => {
    const served = threads.get(id);
    served?.delivery.progress(null);
    threads.delete(id);
    woken.add(id);
    schedule();
  };

  const show = (served: Served, progress: Progress | null): void => {
    served.progress = progress;
    served.delivery.progress(progress);
  };

  const sweep = (): void => {
    sweepAfter(IDLE_SWEEP);
    for (const thread of ledger.behind(name)) {
      const known = threads.get(thread.conversation);
      if (known === undefined || known.delivery.idle()) open(thread.conversation)?.delivery.changed();
    }
    for (const one of late()) {
      if (told.has(one.conversation)) continue;
      log.warn("delivery: thread stale for a minute, retry scheduled", { ...one, surface: name });
    }
    told = new Set(late().map(({ conversation }) => conversation));
  };

  const sweepAfter = (delay: Millis): void => {
    cancelSweep?.();
    // The database is closed next.
    if (closed) return;
    cancelSweep = clock.after(delay, sweep);
    isSweepNear = delay === SWEEP;
  };

  const late = (): readonly LateThread[] =>
    [...threads].flatMap(([conversation, { delivery }]) => {
      const behind = delivery.behind();
      return behind !== null && clock.now() - behind.since >= LATE ? [{ conversation, ...behind }] : [];
    });

  const quiet = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      schedule();
      if (closed) resolve();
    });

  return {
    /** `place`: channel or thread root that may be writable again; null means any. */
    reopened: (place: string | null): void => {
      for (const { delivery } of threads.values()) delivery.reopened(place);
    },
    moved: (from: string, to: string): void => {
      for (const { delivery } of threads.values()) delivery.moved(from, to);
    },
    /** Called after each commit. */
    heard,
    start: () => {
      for (const thread of ledger.behind(name)) open(thread.conversation)?.delivery.changed();
      sweepAfter(SWEEP);
    },
    late,
    unseenFor: (id: ConversationId): Millis => threads.get(id)?.delivery.unseenFor() ?? 0,
    /** Resolves when no call and no write is in flight and none can start before a timer fires. */
    quiet,
    /** Delivers for up to 3 s, Retry-After included, then makes no further call. */
    close: async () => {
      const { promise: delivered, resolve } = Promise.withResolvers<void>();
      leaving.push(resolve);
      schedule();
      await atMost(clock, DRAIN.deliver, delivered);
      closed = true;
      cancelSweep?.();
    },
  };
};

const progressOf = (
  { status, overview: { conversation, state } }: ConversationChange & { kind: "state" },
  { progress: before, language }: Served,
  deps: Pick<DelivererDeps, "store" | "toolLooks">,
): Progress | null =>
  status === null
    ? null
    : {
        conversation: conversation.id,
        ...(state.turn.reviewed === undefined
          ? { status, ...doingIn(state, deps), live: before?.live ?? "", ...lookedOf(before) }
          : { status: withoutFinds(status), live: "", reviewed: true }),
        permission: effectivePermission(state),
        asker: state.turn.speaker?.id ?? null,
        ...omitUndefined({ language: language === "en" ? undefined : language }),
      };

/** Findings could reveal the answer before its review. */
const withoutFinds = (status: ThreadStatus): ThreadStatus => {
  const { agents: _, setUp: __, ...rest } = status;
  return rest;
};

const doingIn = (
  { phase }: State,
  { store, toolLooks }: Pick<DelivererDeps, "store" | "toolLooks">,
): Pick<Progress, "doing"> => {
  if (phase.kind !== "running") return {};
  const { message, call } = phase;
  const input = callInput(store.words([message]).get(message), call.id);
  const { verb, object } = callDoing({ look: toolLooks(call.name), name: call.name, input });
  return { doing: { verb, object: maskSecrets(object) } };
};

const lookedOf = (of: { readonly looked?: CheckedPrefix } | null): { readonly looked?: CheckedPrefix } =>
  omitUndefined({ looked: of?.looked });
