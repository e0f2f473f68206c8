/**
 * The life of one thread: a walk of the machine, committed step by step as a live conversation commits it, and delivered by the
 * real deliverer to a board in the form of a chat platform. The process may end between two steps.
 */

import fc from "fast-check";
import { discordRenderer } from "../../../adapters/discord/write/render.ts";
import { discordLimits } from "../../../adapters/discord/write/surface.ts";
import { slackRenderer } from "../../../adapters/slack/write/render.ts";
import { slackLimits } from "../../../adapters/slack/write/surface.ts";
import type { Event } from "../../../src/machine/event.ts";
import type { MessageId, Millis } from "../../../src/machine/id.ts";
import { isSettled } from "../../../src/machine/state.ts";
import type { Step } from "../../../src/machine/step.ts";
import type { Entry } from "../../../src/machine/transcript.ts";
import { transition } from "../../../src/machine/transition/transition.ts";
import type { Done } from "../../../src/ports/host.ts";
import {
  type DeliveryRow,
  type Limits,
  type Operation,
  type Renderer,
  STATUS_POST,
  type Surface,
  TWIN_MARK,
} from "../../../src/ports/surface.ts";
import type { StoredConversation } from "../../../src/ports/store.ts";
import { boundSurface } from "../../../src/runtime/deliver/bounded-surface.ts";
import { createDeliverer, type Deliverer } from "../../../src/runtime/deliver/deliverer.ts";
import { piecesOf } from "../../../src/runtime/deliver/pieces.ts";
import { questionChanges } from "../../../src/runtime/live/question.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { postTextsOf } from "../../../src/thread/post-words.ts";
import type { StoredContent } from "../../../src/thread/prompt.ts";
import { openTurn, turnPost } from "../../../src/thread/turn-post.ts";
import { view } from "../../../src/thread/view.ts";
import { english } from "../../../src/i18n/say.ts";
import { maskHere } from "../../mask-here.ts";
import type { Walk } from "../../machine/walk.ts";
import { openMemory } from "../../store/in-memory.ts";
import { conversationOf, prefix } from "../../store/plain.ts";
import { createManualClock } from "../world.ts";
import type { Accident, Board } from "./board.ts";
import { looks } from "../../looks.ts";

export interface Platform {
  readonly name: string;
  readonly renderer: Renderer;
  readonly limits: Pick<Limits, "text" | "units">;
  /** Answers grow in the platform's own way. */
  readonly streams: boolean;
}

export const PLATFORMS: readonly Platform[] = [
  { name: "slack", renderer: slackRenderer(english), limits: slackLimits, streams: true },
  { name: "discord", renderer: discordRenderer(english), limits: discordLimits, streams: false },
];

/** How the platform counts calls. */
export interface Purse {
  readonly burst: number;
  readonly every: Millis;
}

export const limitsOf = ({ limits: { text, units }, streams }: Platform, purses: Purses): Limits => ({
  text,
  units,
  observes: true,
  budgetOf: (call) => ({ name: call, ...purses[call] }),
  begins: () => streams,
  parallel: 4,
  patienceOf: () => 2_000,
  hintLasts: 90_000,
  editEvery: 1_000,
  editAtMost: 8_000,
  routeOf: (call) => call,
});

export type Purses = Readonly<Record<Parameters<Limits["budgetOf"]>[0], Purse>>;

const purse: fc.Arbitrary<Purse> = fc.record({
  burst: fc.constantFrom(1, 1, 2, 5),
  every: fc.constantFrom(500, 4_000, 20_000),
});

/** From plenty to one call every twenty seconds. */
export const purses: fc.Arbitrary<Purses> = fc.record({
  begin: purse,
  send: purse,
  upload: purse,
  edit: purse,
  finish: purse,
  show: purse,
  delete: purse,
  read: purse,
  hint: purse,
});

/** Between two steps. */
export interface Beat {
  readonly waits: Millis;
  /** Characters of the answer that have been streamed before it is whole. */
  readonly streamed: number;
  /** Of the answer's text. */
  readonly length: number;
  /** The next step comes before this one is delivered. */
  readonly isRushed: boolean;
  readonly isRestart: boolean;
}

export const beats: fc.Arbitrary<readonly Beat[]> = fc.array(
  fc.record({
    waits: fc.constantFrom(0, 0, 0, 1_000, 3_000, 30_000),
    streamed: fc.constantFrom(0, 400, 900),
    length: fc.constantFrom(20, 900, 9_000),
    isRushed: fc.constantFrom(false, false, false, true),
    isRestart: fc.constantFrom(false, false, false, false, false, false, false, true),
  }),
  { minLength: 1, maxLength: 60, size: "max" },
);

/** What calls come to, one after the other; null: they go well, as all do behind the last. */
export type Weather = readonly (Accident | null)[];

const trouble = fc.constantFrom<Accident | null>(
  ...Array.from({ length: 12 }, () => null),
  { kind: "throttled", retryAfter: 3_000 },
  { kind: "refused", why: "internal_error", permanent: false },
  { kind: "unknown", why: "no answer came" },
  { kind: "lost" },
  { kind: "later" },
  { kind: "later" },
  { kind: "gone", what: "thread", why: "is_archived" },
);

/** Everything that may pass. */
export const weathers: fc.Arbitrary<Weather> = fc.array(trouble, { maxLength: 60, size: "max" });

/** The same, and content that is refused for good, and messages that are gone. */
export const worstWeathers: fc.Arbitrary<Weather> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: trouble },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Accident>(
        { kind: "refused", why: "msg_too_long", permanent: true },
        { kind: "refused", why: "invalid", permanent: true, fault: true },
        { kind: "gone", what: "message", why: "message_not_found" },
      ),
    },
  ),
  { maxLength: 60, size: "max" },
);

const ID = "c-1";
const STEADY: Beat = { waits: 0, streamed: 0, length: 20, isRushed: false, isRestart: false };
const ENDED: Millis = 9_000;
/** Nothing takes longer once the platform does what it is asked. */
const AT_REST: Millis = 12 * 3_600_000;
/** What comes late comes so late. */
const LATENESS: Millis = 25_000;

export interface Life {
  /** Wire of the question that waits. */
  readonly pending: string | null;
  readonly messages: Board["messages"];
  /** Key of the message that a turn leaves so far; null if no turn goes on. */
  readonly told: string | null;
  /** Keys of messages that the thread is to show. */
  readonly wanted: readonly string[];
  /** What the ledger has of them, and of what a turn that waits has told so far. */
  readonly rows: readonly DeliveryRow[];
  readonly isBehind: boolean;
  /** Of the ledger. */
  readonly writes: number;
}

/**
 * Lives it to its end, and waits until nothing moves. A turn that still goes on then is stopped. The process ends after that
 * many writes of its ledger, too, and the next one begins.
 */
export const live = async (
  walk: Pick<Walk, "start" | "steps" | "words">,
  script: readonly Beat[],
  platform: Platform,
  board: Board,
  weather: Weather = [],
  endsAfter: number = Infinity,
): Promise<Life> => {
  const ahead = [...weather];
  board.weather = (kind) => {
    const next = ahead.shift() ?? null;
    return isHopeless(kind, next) ? null : next;
  };
  const clock = createManualClock();
  const opened = openMemory();
  const { store, ledger } = opened;
  let ids = 0;
  const randomId = (): string => `wire${ids++}`;
  let writes = 0;
  const { promise: ended, resolve: end } = Promise.withResolvers<"ended">();
  const begin = (): { readonly deliverer: Deliverer; readonly die: () => void } => {
    let isAlive = true;
    const dies = (surface: Surface): Surface => ({
      ...surface,
      apply: async (operation) => {
        if (!isAlive) return new Promise(() => {});
        const outcome = await surface.apply(operation);
        return isAlive ? outcome : new Promise(() => {});
      },
    });
    const whileAlive =
      <Given extends readonly unknown[]>(write: (...given: Given) => Promise<Done>) =>
      async (...given: Given): Promise<Done> => {
        if (!isAlive) return new Promise(() => {});
        const done = await write(...given);
        if (isAlive && ++writes === endsAfter) {
          isAlive = false;
          end("ended");
        }
        return isAlive ? done : new Promise(() => {});
      };
    const deliverer = createDeliverer({
      name: "board",
      surface: boundSurface(dies(board.surface), clock),
      renderer: () => platform.renderer,
      languageAt: () => "en",
      toolLooks: looks,
      store,
      ledger: {
        ...ledger,
        put: whileAlive(ledger.put),
        drop: whileAlive(ledger.drop),
        settle: whileAlive(ledger.settle),
      },
      blobs: { get: () => Promise.resolve(Buffer.from("a file")) },
      maskFile: maskHere,
      clock,
      log: silentLog,
      randomId,
      fault: () => {},
    });
    deliverer.start();
    return { deliverer, die: () => (isAlive = false) };
  };

  await store.create(conversationOf(ID), walk.start, prefix);
  await ledger.bind({ conversation: ID, surface: "board", place: "C1", root: "r1" });
  let process = begin();
  const restart = (): void => {
    process.die();
    board.reboot();
    process = begin();
  };
  let hasEnded = false;
  const quiet = async (): Promise<void> => {
    const first = hasEnded ? null : await Promise.race([process.deliverer.quiet(), ended]);
    if (first === "ended") {
      hasEnded = true;
      restart();
    }
    await process.deliverer.quiet();
  };
  let state = walk.start;
  const turn: Entry[] = [];
  const known = new Set<string>();

  let passed = 0;
  const pass = async (by: Millis, pace = 1_000): Promise<void> => {
    for (let left = by; left > 0; left -= pace) {
      const step = Math.min(pace, left);
      const before = passed;
      passed += step;
      if (Math.floor(before / LATENESS) < Math.floor(passed / LATENESS)) board.carryOut();
      clock.advance(step);
      await quiet();
    }
  };

  const commit = async (
    event: Event,
    step: Step,
    words: ReadonlyMap<string, StoredContent>,
  ): Promise<void> => {
    const before = state;
    const since = turn.slice(
      Math.max(
        0,
        turn.findLastIndex(({ kind }) => kind === "answer"),
      ),
    );
    const { posts, status } = view(step.state, [...since, ...step.append], before);
    const whole = turnPost(before, step.state, turn, step.append, looks);
    const brought = [...words].filter(([id]) => !known.has(id));
    for (const [id] of brought) known.add(id);
    const committed = await store.commit({
      conversation: ID,
      event,
      labels: [],
      actor: null,
      before,
      after: step.state,
      effects: step.effects,
      append: step.append,
      words: brought.map(([id, one]) => ({ id: id as MessageId, words: one })),
      posts: whole === null ? posts : [...posts, whole],
      questions: questionChanges(before, event, step.state, null, randomId),
      claim: null,
    });
    if (committed.kind === "failed") throw new Error(committed.message);
    state = step.state;
    const last = step.append.at(-1)?.turn ?? turn[0]?.turn;
    if (turn[0]?.turn !== last) turn.length = 0;
    turn.push(...step.append.filter((entry) => entry.turn === last));
    process.deliverer.heard(ID, { kind: "posts", rows: [] });
    const stored = store.load(ID);
    if (stored === null) throw new Error("it is gone");
    process.deliverer.heard(ID, {
      kind: "state",
      overview: overviewOf(stored),
      status,
      question: null,
    });
  };

  const stream = async (event: Event, text: string, beat: Beat): Promise<void> => {
    const { phase } = state;
    if (event.kind !== "answered" || phase.kind !== "thinking" || event.by !== phase.request) return;
    const said = text.slice(0, beat.streamed);
    if (said === "") return;
    const looked = { upTo: said.length, citations: [], links: [] };
    process.deliverer.heard(ID, { kind: "live", request: event.by, text: said, looked });
    await quiet();
    await pass(beat.waits);
  };

  for (const [index, { event, result }] of walk.steps.entries()) {
    const beat = script[index % script.length] ?? STEADY;
    if (result.kind === "refused") continue;
    const words = new Map([...walk.words].filter(([id]) => id.endsWith(`${index}`) && !known.has(id)));
    if (event.kind === "answered" && event.text > 0) {
      const text = textOf(beat.length, index);
      await stream(event, text, beat);
      words.set(event.message, withText(words.get(event.message), text));
    }
    await commit(event, result, words);
    if (!beat.isRushed) {
      await quiet();
      await pass(beat.waits);
    }
    if (!beat.isRestart) continue;
    restart();
  }
  for (let stops = 0; stops < 2 && !isSettled(state.phase); stops += 1) {
    const { phase } = state;
    const event: Event =
      phase.kind === "stopping"
        ? { kind: "due", at: ENDED, for: phase.wait.for }
        : { kind: "stopped", at: ENDED, by: "console:operator", then: null };
    const ended = transition(state, event);
    if (ended.kind === "step") await commit(event, ended, new Map());
  }
  await quiet();
  // A message that was sent again is looked for once more a minute later: what comes late has come by then.
  const isMoving = (): boolean =>
    ledger.behind("board").length > 0 ||
    ledger.rows(ID, [STATUS_POST]).some(({ key }) => key.includes(TWIN_MARK));
  for (let left = AT_REST; left > 0 && isMoving(); left -= 5_000) await pass(5_000, 5_000);

  const stored = store.load(ID);
  if (stored === null) throw new Error("it is gone");
  const all = store.posts(ID, 0);
  const question = store.pendingQuestion(ID);
  const scene = {
    conversation: stored.conversation,
    words: store.words(all.flatMap(({ post }) => postTextsOf(post))),
    looks,
    question,
    sources: new Map(),
  };
  const wanted = piecesOf(all, scene, platform.renderer, board.surface.limits);
  // A turn that waits for a person has told what it has said so far.
  const told = openTurn(stored.state, stored.turn)?.key ?? null;
  const isBehind = ledger.behind("board").length > 0;
  const rows = ledger.rows(ID, [...all.map(({ post }) => post.key), told ?? "status", "status"]);
  await opened.store.close();
  return {
    pending: question?.wire ?? null,
    messages: board.messages,
    told,
    wanted: wanted.map(({ piece }) => piece.key),
    rows,
    isBehind,
    writes,
  };
};

/** A platform that never says what it holds has repeats marked, and a message that it never lets go stays: those are other laws. */
const isHopeless = (kind: Operation["kind"] | "observe", accident: Accident | null): boolean =>
  (kind === "observe" || kind === "delete") &&
  ((accident?.kind === "refused" && accident.permanent) ||
    (accident?.kind === "gone" && accident.what === "message"));

const overviewOf = ({ conversation, state }: StoredConversation): Omit<StoredConversation, "turn"> => ({
  conversation,
  state,
});

/** Of so many characters, and different from any other. */
const textOf = (length: number, no: number): string =>
  `Answer ${no}. ${"The shop retries each order three times. ".repeat(Math.ceil(length / 41))}`.slice(
    0,
    length,
  );

const withText = (words: StoredContent | undefined, text: string): StoredContent =>
  words?.kind === "answer"
    ? { ...words, blocks: words.blocks.map((block) => (block.kind === "text" ? { ...block, text } : block)) }
    : { kind: "answer", blocks: [{ kind: "text", text }] };
