/**
 * T1 A row is on disk as `sending` before its call is made, and the outcome is kept even if the disk refuses it. T2 Any
 * platform error leads to a retry, to a message that names the missing permission or object, or to a pause. It never leads to
 * silence or to a loop. T3 Progress text is transient: the newest text replaces waiting text, and the ledger records only the
 * first progress message and its removal.
 */

import type { ConversationId, MessageId, Millis } from "../../machine/id.ts";
import type { Ambient, MaskFile, RandomId } from "../../ports/host.ts";
import type { Overview } from "../../ports/bot.ts";
import type { Blobs, Store } from "../../ports/store.ts";
import type { ModelNames } from "../../ports/model.ts";
import {
  type CallKind,
  type DeliveryRow,
  type Ledger,
  mayPass,
  type Progress,
  type Renderer,
  type RenderScene,
  STATUS_POST,
  type Surface,
  type Thread,
  type ThreadRow,
  whyOf,
} from "../../ports/surface.ts";
import { createThreadLedger } from "./thread-ledger.ts";
import { type DeliveryStep, createDeliveryStep } from "./delivery-step.ts";
import { createTypingStatus } from "./typing-status.ts";
import { createPace } from "./pace.ts";
import type { CallSpend, WaitingSend } from "./queue.ts";
import { callOfEdit, growingOf, idOf, rankOf, spendsOf } from "./step-rank.ts";
import { type SurfaceAbilities, EVERYTHING, plan, type StepResult, type WantedMessage } from "./plan.ts";
import type { DeliveryLimits } from "./routes.ts";
import type { TurnAsker } from "../../thread/post.ts";
import { postTextsOf } from "../../thread/post-words.ts";
import type { FindCallWording } from "../../thread/call-text.ts";
import { latestTurnKeys, stepsIn } from "../../thread/turn-post.ts";
import { pieceHashOf, piecesOf, touched } from "./pieces.ts";
import { createLiveAnswer } from "./live-answer.ts";
import { createActivityTimer } from "./activity-timer.ts";
import { createTwins } from "./twins.ts";
import { createWorkingCard } from "./working-card.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

/** Wait after an error, doubled with each further error up to LONGEST_WAIT. */
const WAIT: Millis = 1_000;
const LONGEST_WAIT: Millis = 15_000;
/** Wait before a closed thread is tried again. Doubles with each try up to LONGEST_CLOSED_WAIT; tries stop after CLOSED_FOR. */
const CLOSED_WAIT: Millis = 60_000;
const LONGEST_CLOSED_WAIT: Millis = 900_000;
const CLOSED_FOR: Millis = 86_400_000;
/** Working time before a message shows progress on platforms without hints. */
const WITHOUT_HINTS: Millis = 5_000;

export interface ThreadDeps extends Ambient {
  readonly surface: Surface;
  readonly renderer: Renderer;
  readonly store: Pick<Store, "load" | "post" | "posts" | "words" | "pendingQuestion" | "source">;
  readonly blobs: Pick<Blobs, "get">;
  readonly toolLooks: FindCallWording;
  readonly maskFile: MaskFile;
  readonly ledger: Ledger;
  readonly randomId: RandomId;
  /** Absent if the host has only one model. */
  readonly models?: Pick<ModelNames, "all" | "first">;
  readonly fault: (conversation: ConversationId, error: unknown) => void;
}

export interface ReadySend extends WaitingSend {
  /** `by`: the chosen call among `spends`; null if the step makes no call. Never rejects. */
  run(by: CallKind | null): Promise<void>;
}

export type ThreadDelivery = ReturnType<typeof createThread>;

export const createThread = (
  { delivered: before, ...row }: ThreadRow,
  deps: ThreadDeps,
  shared: DeliveryLimits,
  wake: () => void,
) => {
  const { surface, renderer, store, clock, log } = deps;
  const { limits } = surface;
  /** A copy, because `place` changes if the platform changes the channel's id. */
  const thread: Thread & { place: string } = { ...row };
  const book = createThreadLedger(deps.ledger, thread.conversation);
  const pace = createPace(clock, wake);
  const twins = createTwins({ ...deps, thread, book }, wake);
  const carrier: DeliveryStep = createDeliveryStep({ ...deps, thread, book, pace, twins });
  let wanted: readonly WantedMessage[] = [];
  let delivered = before;
  let revision = before;
  let stale = true;
  let known: Overview | null = null;
  /** Text limit that `wanted` was rendered for: a platform may lower its limit. */
  let cutTo = limits.text;
  let unsettled = true;
  let since: Millis | null = clock.now();
  let why = WAITS;
  let progress: Progress | null = null;
  /** Start of the growth of the turn's message. */
  let grownSince: Millis | undefined;
  let steps = 0;
  let busy = false;
  let waiting = false;
  let troubles = 0;
  let blind = false;
  let standing: "open" | "closed" | "to try" = "open";
  let closed: { readonly since: Millis; readonly tries: number } | null = null;
  let cancelRetry: (() => void) | null = null;
  /** The platform reported a change during a call, so the call's response may be older than the change. */
  let toldMeanwhile = false;
  const hints = createTypingStatus(clock, limits.hintLasts, wake, () => limits.hintAfter?.(thread) ?? 0);
  const speech = createLiveAnswer(renderer, limits, deps.toolLooks, clock);
  const card = createWorkingCard({ ...deps, limits, mayShow: () => pace.ready() }, wake);
  const spell = createActivityTimer(clock, () => {
    card.heard();
    wake();
  });

  const next = (status: () => WantedMessage | null, isGlimpse: boolean): ReadySend | null => {
    if (busy || waiting || standing === "closed") return null;
    if (book.owes()) return ready("disk", [], payDebts);
    if (standing === "to try") return ready("change", spends("read"), tryAgain);
    if (stale || cutTo !== limits.text) load();
    const twin = twins.due();
    if (twin !== null) return ready("change", spends("read"), () => lookForTwin(twin));
    const shows = speech.isOn() ? null : status();
    const step = plan(all(isGlimpse), shows, book.rows(), abilities());
    if (step === null) {
      const hint = wantedHint();
      return hint === undefined ? rest(shows) : ready("status", spends("hint"), () => hintAt(hint));
    }
    if (step.kind === "forget") return ready("disk", [], () => book.drop(step.row.key));
    return mayAsk(step)
      ? ready(rankOf(step), spendsOf(step, limits, thread), (by) =>
          by === null ? Promise.resolve() : carry(step, by),
        )
      : null;
  };

  const spends = (call: CallKind): readonly CallSpend[] => [
    { call, budget: limits.budgetOf(call, thread, null) },
  ];

  const all = (isGlimpse: boolean): readonly WantedMessage[] => {
    const open = (isGlimpse ? speech.glimpsed(pace.ready()) : speech.shown(pace.ready())).filter(
      ({ post }) => !wanted.some((one) => one.post === post),
    );
    return open.length === 0 ? wanted : [...wanted, ...open.map(carrier.acceptable).map(paused)];
  };

  /** Ends the platform's stream of a turn that waits for a person, which may take days. Later changes are ordinary edits. */
  const paused = (one: WantedMessage): WantedMessage => {
    const { piece } = one;
    if (progress !== null || !limits.begins(thread, piece.content.reply?.person ?? null)) return one;
    const content = { ...piece.content, isFull: true as const };
    return { piece: { ...piece, content }, post: one.post, hash: pieceHashOf(content) };
  };

  const wantedHint = (): string | null | undefined => {
    if (progress === null) return hints.due(null);
    return card.isDue() || speech.isOn()
      ? undefined
      : hints.due(renderer.hint({ ...progress, lasts: spell.passed() }));
  };

  /** If the platform refuses hints, a message shows progress sooner. */
  const hintAt = async (text: string | null): Promise<void> => {
    hints.given(text);
    const outcome = await surface.hint(thread, text);
    if (outcome.kind !== "refused" || !outcome.permanent) return;
    hints.refused();
    if (progress !== null) card.waitFor(WITHOUT_HINTS);
  };

  const lookForTwin = async (mark: DeliveryRow): Promise<void> => {
    const trouble = await twins.seek(mark);
    if (trouble !== null) return close(whyOf(trouble));
    lacks();
  };

  const payDebts = async (): Promise<void> => {
    if (await book.flush()) return;
    why = "the disk refuses the ledger";
    pause(WAIT);
  };

  const load = (): void => {
    const stored = store.load(thread.conversation, known ?? undefined);
    if (stored === null) return;
    stale = false;
    cutTo = limits.text;
    const rows = store.posts(thread.conversation, delivered);
    const scene = {
      conversation: stored.conversation,
      words: store.words(rows.flatMap(({ post }) => postTextsOf(post))),
      looks: deps.toolLooks,
      question: store.pendingQuestion(thread.conversation),
      ...((deps.models?.all.length ?? 1) > 1 ? { namesModels: true as const } : {}),
      ...omitUndefined({ firstModel: deps.models?.first }),
      ...sourcesOf(rows.flatMap(({ post: { body } }) => (body.kind === "turn" ? [body] : []))),
    };
    wanted = piecesOf(rows, scene, renderer, limits).map(carrier.acceptable);
    steps = stepsIn(stored.turn.filter(({ turn }) => turn === stored.state.turn.no)).length;
    speech.load(stored, store.words, sourcesOf);
    // Key of a message whose turn leaves no post: the process ended before it removed the message.
    const begun = latestTurnKeys(stored.state).filter((key) => store.post(thread.conversation, key) === null);
    book.load([...touched(rows, wanted, scene), ...begun]);
    twins.loaded();
    revision = Math.max(revision, ...rows.map((row) => row.revision));
  };

  const sourcesOf = (turns: readonly { readonly asked?: TurnAsker }[]): Pick<RenderScene, "sources"> => ({
    sources: new Map(
      turns.flatMap(({ asked }): readonly (readonly [MessageId, string])[] => {
        const source = asked === undefined ? null : store.source(thread.conversation, asked.message);
        return asked === undefined || source === null ? [] : [[asked.message, source]];
      }),
    ),
  });

  const abilities = (): SurfaceAbilities => {
    const free = (call: CallKind, id: string | null = null) =>
      !shared.routes.held(limits.routeOf(call, thread, id));
    const standing = book.get(card.key())?.id ?? null;
    return {
      observe: limits.observes && !blind,
      send: free("send"),
      upload: free("upload"),
      edit: ({ id }, wanted) => free(callOfEdit(wanted), id),
      remove: free("delete"),
      grow: pace.ready(),
      show: pace.ready() && free(standing === null ? "send" : "show", standing),
      // Without a running turn, `wanted` is the last known content, even of a post that may change again later.
      finalOnly: progress === null ? EVERYTHING.finalOnly : pace.finalOnly,
    };
  };

  const mayAsk = ({ kind }: StepResult): boolean =>
    kind !== "observe" || !shared.routes.held(limits.routeOf("read", thread, null));

  /** Called when no step is possible. If no step is left either, records in the ledger that all is delivered. */
  const rest = (status: WantedMessage | null): ReadySend | null => {
    if (!unsettled) return null;
    const rows = book.rows();
    const left = plan(all(false), status, rows, EVERYTHING);
    if (left !== null && left.kind !== "show") return null;
    // The rows of a growing message are needed until the message is complete.
    if (all(false).length > wanted.length) {
      rested();
      return null;
    }
    if (revision === delivered && rows.some(({ post }) => post === STATUS_POST)) {
      rested();
      return null;
    }
    return ready("disk", [], () => {
      rested();
      delivered = revision;
      wanted = [];
      return book.settle(revision);
    });
  };

  const rested = (): void => {
    unsettled = false;
    since = null;
    why = WAITS;
  };

  const lacks = (): void => {
    unsettled = true;
    since ??= clock.now();
  };

  const carry = async (step: StepResult, by: CallKind): Promise<void> => {
    if (rankOf(step) !== "live") lacks();
    shared.routes.used(limits.routeOf(by, thread, idOf(step)));
    const growing = growingOf(step, limits, thread);
    const began = clock.now();
    const intervalOf = (id: string | null): Millis =>
      growing === null
        ? 0
        : Math.max(
            shared.budgets.interval(growing(id).grows, limits, grownSince),
            step.kind === "show" ? card.interval() : 0,
          );
    if (growing !== null) {
      grownSince ??= began;
      pace.begun(intervalOf(idOf(step)));
    }
    const key = card.key();
    const result = await carrier.carry(step, by);
    switch (result.kind) {
      case "done":
        troubles = 0;
        closed = null;
        if (step.kind === "send") {
          card.renew();
          hints.ended();
        }
        if (growing !== null && result.wait !== undefined) pace.told(result.wait);
        if ("wanted" in step) {
          const id = book.get(step.wanted.piece.key)?.id ?? null;
          shared.budgets.grows(thread.conversation, id === null ? null : (growing?.(id) ?? null));
          // The id of a new message decides which budget its edits use.
          if (growing !== null && idOf(step) === null)
            pace.begun(Math.max(0, began + intervalOf(id) - clock.now()));
        }
        if (step.kind === "show" && result.lasts !== undefined) card.renewAfter(key, result.lasts);
        return;
      case "throttled":
        why = "the platform asks to wait";
        shared.budgets.refused(limits.budgetOf(result.call, thread, idOf(step)));
        shared.routes.throttled(limits.routeOf(result.call, thread, idOf(step)), result.retryAfter);
        return;
      case "refused":
        wanted = wanted.map(carrier.acceptable);
        return;
      case "again":
        why = result.why;
        pause(backoff());
        return;
      case "blind":
        blind = true;
        log.warn("delivery: thread not read, possible repeats marked", {
          conversation: thread.conversation,
          surface: thread.surface,
          why: result.why,
        });
        return;
      case "closed":
        return close(result.why);
    }
  };

  const close = (why: string): void => {
    standing = "closed";
    if (closed === null)
      log.warn("delivery: thread closed, conversation continued elsewhere", {
        conversation: thread.conversation,
        surface: thread.surface,
        why,
      });
    const { since, tries } = closed ?? { since: clock.now(), tries: 0 };
    closed = { since, tries: tries + 1 };
    cancelRetry?.();
    cancelRetry = null;
    if (clock.now() - since < CLOSED_FOR)
      cancelRetry = clock.after(Math.min(LONGEST_CLOSED_WAIT, CLOSED_WAIT * 2 ** tries), reopen);
    if (toldMeanwhile) reopen();
  };

  const toldOfChange = (): void => {
    toldMeanwhile ||= busy;
    reopen();
  };

  const reopen = (): void => {
    if (standing !== "closed") return;
    cancelRetry?.();
    cancelRetry = null;
    standing = "to try";
    wake();
  };

  const tryAgain = async (): Promise<void> => {
    const opened = await surface.open(thread);
    if (opened.kind === "done") standing = "open";
    else if (!mayPass(opened)) close(whyOf(opened));
    else pause(opened.kind === "throttled" ? opened.retryAfter : backoff());
  };

  const ready = (
    rank: ReadySend["rank"],
    spends: readonly CallSpend[],
    task: (by: CallKind | null) => Promise<void>,
  ): ReadySend => ({
    rank,
    spends,
    run: async (by) => {
      busy = true;
      toldMeanwhile = false;
      await task(by);
      busy = false;
      wake();
    },
  });

  const pause = (delay: Millis): void => {
    waiting = true;
    clock.after(delay, () => {
      waiting = false;
      wake();
    });
  };

  const backoff = (): Millis => Math.min(LONGEST_WAIT, WAIT * 2 ** troubles++);

  return {
    changed: () => {
      stale = true;
      lacks();
      reopen();
      wake();
    },
    reopened: (place: string | null) => {
      if (place === null || place === thread.place || place === thread.root) toldOfChange();
    },
    moved: (from: string, to: string) => {
      if (thread.place !== from) return;
      thread.place = to;
      toldOfChange();
      wake();
    },
    stepped: (now: Overview) => void (known = now),
    progress: (now: Progress | null) => {
      if (now === null && progress === null) return;
      if (now === null || progress === null) {
        lacks();
        grownSince = undefined;
        card.end();
        shared.budgets.grows(thread.conversation, null);
      }
      if (now !== null && progress === null)
        card.waitFor(hints.isRefused() ? WITHOUT_HINTS : limits.patienceOf(thread));
      const isMore = now !== null && progress !== null;
      progress = now;
      spell.heard(now);
      if (now !== null) speech.heard(now);
      card.heard();
      // While the pace pauses edits, the end of the pause wakes the thread for new text.
      if (!isMore || pace.ready()) wake();
    },
    /** Does not render progress. */
    glimpse: (): WaitingSend | null => next(() => card.glimpsed(progress), true),
    next: (): ReadySend | null =>
      next(
        () => card.rendered(progress === null ? null : { ...progress, steps, lasts: spell.passed() }),
        false,
      ),
    unseenFor: (): Millis => pace.left(),
    owes: (): boolean => busy || waiting || (unsettled && standing !== "closed"),
    /** `why`: the last obstacle. Null if the thread lacks nothing. */
    behind: (): { readonly since: Millis; readonly why: string } | null =>
      since === null || standing === "closed"
        ? null
        : { since, why: busy ? `${why}; a call is under way` : why },
    /** Whether the thread can be removed from memory. */
    idle: (): boolean =>
      !busy &&
      !waiting &&
      !unsettled &&
      progress === null &&
      hints.isOver() &&
      standing === "open" &&
      twins.isIdle(),
  };
};

const WAITS = "it waits for its turn";
