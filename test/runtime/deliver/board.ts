/**
 * The simplest platform: threads as lists in memory, a journal of calls, and outcomes that a test puts in the way.
 * With it the real ledger and a clock that moves when told.
 */

import type { ConversationId, Millis } from "../../../src/machine/id.ts";
import type { State } from "../../../src/machine/state.ts";
import type { Log, MaskFile } from "../../../src/ports/host.ts";
import type { Blobs, Store } from "../../../src/ports/store.ts";
import type {
  Content,
  FilePart,
  Ledger,
  Limits,
  PostedMessages,
  Operation,
  SendOutcome,
  Renderer,
  Surface,
  SendFailure,
} from "../../../src/ports/surface.ts";
import { boundSurface } from "../../../src/runtime/deliver/bounded-surface.ts";
import { createDeliverer, type Deliverer } from "../../../src/runtime/deliver/deliverer.ts";
import type { Beside } from "../../store/beside.ts";
import type { Post, ThreadStatus } from "../../../src/thread/post.ts";
import { maskHere } from "../../mask-here.ts";
import { openGrouped } from "../../store/kit.ts";
import { begin, commitOf, notice, take } from "../../store/plain.ts";
import { createManualClock, type ManualClock } from "../world.ts";
import { looks } from "../../looks.ts";

export interface Message {
  readonly id: string;
  readonly place: string;
  readonly wire: string;
  readonly hash: string | null;
  readonly content: Content;
  /** It grows in the platform's own way, and the process that began it has not ended it. */
  readonly isOpen: boolean;
}

/**
 * What happens to a call instead: `lost` is carried out without an answer, `stuck` may be and never ends, `late` is
 * carried out after the next one, `later` when the test says.
 */
export type Accident =
  | SendFailure
  | { readonly kind: "lost" }
  | { readonly kind: "late" }
  | { readonly kind: "later" }
  | { readonly kind: "stuck"; readonly applied: boolean };

export interface Board {
  readonly surface: Surface;
  readonly messages: readonly Message[];
  /** Files that were uploaded, in order. */
  readonly held: readonly { readonly name: string; readonly text: string }[];
  /** Bytes by hash; a test puts them there. */
  readonly blobs: Pick<Blobs, "get"> & { readonly bytes: Map<string, Buffer> };
  /** What looks through files; a test may put another there. */
  maskFile: MaskFile;
  /** Kind and text of each call so far, as `send hello`. */
  readonly calls: readonly string[];
  /** Settles with the next call. */
  called(): Promise<void>;
  /** The next call that matches comes to this; once. */
  spoil(kind: Operation["kind"], accident: Accident): void;
  spoil(kind: "observe" | "open", accident: SendFailure): void;
  /** What was to come `later` comes now. */
  carryOut(): void;
  /** Somebody else removes a message. */
  remove(text: string): void;
  /** Calls that no test spoiled by name come to this; null: they go well. */
  weather: ((kind: Operation["kind"] | "observe") => Accident | null) | null;
  /** The streams of the process so far belong to nobody. */
  reboot(): void;
}

/** All calls are counted together. */
export const spending = (burst: number, every: Millis): Pick<Limits, "budgetOf" | "begins"> => ({
  budgetOf: () => ({ name: "calls", burst, every }),
  begins: () => false,
});

export const generous: Limits = {
  text: 1_000,
  units: "utf16",
  observes: true,
  ...spending(1_000, 10),
  parallel: 4,
  patienceOf: () => 0,
  hintLasts: 90_000,
  editEvery: 1_000,
  editAtMost: 8_000,
  routeOf: (call, { place }) => (call === "send" ? `send ${place}` : call),
};

/** `lasts`: how long a progress message takes changes; unset: for ever. */
export const createBoard = (limits: Limits = generous, lasts?: Millis): Board => {
  let messages: readonly Message[] = [];
  const held: Board["held"][number][] = [];
  const bytes = new Map<string, Buffer>();
  const calls: string[] = [];
  const listeners: (() => void)[] = [];
  const accidents: { readonly kind: string; readonly accident: Accident }[] = [];
  let late: Operation | null = null;
  const later: Operation[] = [];
  let ids = 0;
  /** Streams that this process began, by id. */
  const own = new Set<string>();
  /** Keys of streams that were taken away: their messages are posted whole. */
  const replaced = new Set<string>();

  const take = (kind: Operation["kind"] | "observe" | "open"): Accident | null => {
    const at = accidents.findIndex((one) => one.kind === kind);
    if (at >= 0) return accidents.splice(at, 1)[0]?.accident ?? null;
    return kind === "open" ? null : (board.weather?.(kind) ?? null);
  };

  const put = (operation: Operation, id: string, content: Content, hash: string | null): SendOutcome => {
    const isOpen = isStream(id);
    const message = { id, place: operation.thread.place, wire: operation.wire, hash, content, isOpen };
    const known = messages.some((one) => one.id === id);
    messages = known ? messages.map((one) => (one.id === id ? message : one)) : [...messages, message];
    return { kind: "done", id };
  };

  const beginStream = (operation: Operation & { kind: "send" }): SendOutcome => {
    const id = `~id${ids++}`;
    own.add(id);
    return put(operation, id, operation.content, null);
  };

  const takenAway = ({ id, wire }: Operation & { readonly id: string }): SendOutcome => {
    messages = messages.filter((one) => one.id !== id);
    replaced.add(wire);
    return { kind: "gone", what: "message", why: "it is posted whole instead", isReplaced: true };
  };

  /** As Slack has it: one that another process began is taken away, and one that is ended is a message like any other. */
  const changeStream = (operation: Operation & { kind: "edit" | "finish" }): SendOutcome => {
    const { id, kind } = operation;
    if (!own.has(id)) return takenAway(operation);
    if (kind === "edit" && operation.content.isFull !== true)
      return put(operation, id, operation.content, null);
    own.delete(id);
    const ended = id.slice(1);
    messages = messages.map((one) => (one.id === id ? { ...one, id: ended } : one));
    return put(operation, ended, operation.content, operation.hash);
  };

  const carry = (operation: Operation): SendOutcome => {
    switch (operation.kind) {
      case "send":
        if (
          operation.isOpen === true &&
          operation.content.isFull !== true &&
          !replaced.delete(operation.wire)
        )
          return beginStream(operation);
        return put(operation, `id${ids++}`, operation.content, operation.hash);
      case "status": {
        const isNew = operation.id === null;
        if (!isNew && !messages.some(({ id }) => id === operation.id))
          return { kind: "gone", what: "message", why: "deleted" };
        const shown = put(operation, operation.id ?? `id${ids++}`, operation.content, null);
        return shown.kind === "done" && isNew && lasts !== undefined ? { ...shown, lasts } : shown;
      }
      case "upload":
        for (const { name, bytes: kept } of operation.files) {
          held.push({ name, text: Buffer.from(kept).toString() });
        }
        return put(operation, `id${ids++}`, operation.content, operation.hash);
      case "edit":
      case "finish":
        if (isStream(operation.id)) {
          if (messages.some(({ id }) => id === operation.id)) return changeStream(operation);
          // The answer to the call that ended it was lost.
          const ended = operation.id.slice(1);
          if (messages.some(({ id }) => id === ended))
            return put(operation, ended, operation.content, operation.hash);
          return takenAway(operation);
        }
        return messages.some(({ id }) => id === operation.id)
          ? put(operation, operation.id, operation.content, operation.hash)
          : { kind: "gone", what: "message", why: "deleted" };
      case "delete":
        messages = messages.filter(({ id }) => id !== operation.id);
        return { kind: "done", id: operation.id };
    }
  };

  const note = (call: string): void => {
    calls.push(call);
    for (const hear of listeners.splice(0)) hear();
  };

  const surface: Surface = {
    limits,
    open: async () => {
      note("open");
      return troubleOf(take("open")) ?? { kind: "done", id: "root" };
    },
    apply: async (operation) => {
      note(`${operation.kind} ${"content" in operation ? operation.content.text : operation.id}`);
      const accident = take(operation.kind);
      const trouble = troubleOf(accident);
      // Somebody else removed it.
      if (trouble?.kind === "gone" && trouble.what === "message" && "id" in operation)
        messages = messages.filter(({ id }) => id !== operation.id);
      if (trouble !== null) return trouble;
      if (accident?.kind === "late") {
        late = operation;
        return { kind: "unknown", why: "slow" };
      }
      if (accident?.kind === "later") {
        later.push(operation);
        return { kind: "unknown", why: "slow" };
      }
      const outcome = accident?.kind === "stuck" && !accident.applied ? null : carry(operation);
      if (late !== null) carry(late);
      late = null;
      if (accident?.kind === "stuck" || outcome === null) return new Promise(() => {});
      return accident === null ? outcome : { kind: "unknown", why: "lost" };
    },
    observe: async ({ place }, since): Promise<PostedMessages> => {
      note("observe");
      const trouble = troubleOf(take("observe"));
      if (trouble !== null) return trouble;
      const from = messages.findIndex(({ id }) => id === since) + 1;
      const seen = messages.slice(from).filter((one) => one.place === place);
      return {
        kind: "seen",
        messages: seen.map((one) => (one.isOpen ? { ...one, wire: null, hash: null } : one)),
      };
    },
    hint: () => Promise.resolve({ kind: "done", id: "root" }),
    answer: () => Promise.resolve({ kind: "done", id: "private" }),
  };

  const board: Board = {
    surface,
    maskFile: maskHere,
    weather: null,
    reboot: () => own.clear(),
    held,
    blobs: { bytes, get: (hash) => Promise.resolve(bytes.get(hash) ?? null) },
    get messages() {
      return messages;
    },
    calls,
    called: () =>
      new Promise((resolve) => {
        listeners.push(resolve);
      }),
    spoil: (kind, accident) => void accidents.push({ kind, accident }),
    carryOut: () => {
      for (const operation of later.splice(0)) carry(operation);
    },
    remove: (text) => {
      messages = messages.filter(({ content }) => content.text !== text);
    },
  };
  return board;
};

const isStream = (id: string): boolean => id.startsWith("~");

const troubleOf = (accident: Accident | null): SendFailure | null =>
  accident === null ||
  accident.kind === "lost" ||
  accident.kind === "late" ||
  accident.kind === "later" ||
  accident.kind === "stuck"
    ? null
    : accident;

/** Every post is one message that says its key; questions are urgent. */
const renderer: Renderer = {
  post: ({ key, body, final, actions }) => {
    if (key.startsWith("poison")) throw new RangeError("too deep");
    return [
      {
        key: `${key}#0`,
        content: {
          tone: body.kind === "question" ? "question" : "notice",
          text: actions.length > 0 ? `${key} ?` : key,
          buttons: [],
          ...(body.kind === "file" ? { files: [FILE] } : {}),
        },
        final,
      },
    ];
  },
  open: () => [],
  hint: ({ status }) => `is ${status.kind}`,
  progress: ({ status, live, lasts = 0 }) => {
    if (live === "poison") throw new RangeError("too deep");
    return { tone: "status", text: `${status.kind}${lasts === 0 ? "" : ` ${lasts}`} ${live}`, buttons: [] };
  },
  refused: (why, { text }, own = false) => ({
    tone: "notice",
    text: `${own ? "not sent" : "refused"}: ${why}: ${text}`,
    buttons: [],
  }),
  masked: (count) => ({ kind: "host", text: `masked: ${count}` }),
  repeated: (content) => ({ ...content, text: `again: ${content.text}` }),
};

const FILE: FilePart = { name: "a.txt", mediaType: "text/plain", source: { kind: "blob", hash: "h" } };

export interface Desk {
  readonly board: Board;
  readonly clock: ManualClock;
  readonly ledger: Ledger;
  readonly deliverer: Deliverer;
  readonly warnings: readonly string[];
  /** Conversations of which the operator is told that a post failed. */
  readonly faults: readonly ConversationId[];
  /** How often progress was rendered. */
  readonly rendered: () => number;
  /** A conversation whose thread is in that channel. */
  thread(id: ConversationId, place?: string): void;
  /** Commits posts and tells the deliverer. */
  post(id: ConversationId, ...posts: readonly Post[]): void;
  /** Commits posts and tells nobody. */
  store(id: ConversationId, ...posts: readonly Post[]): void;
  status(id: ConversationId, status: ThreadStatus | null): void;
  live(id: ConversationId, text: string): void;
  /** Until nothing moves without the clock. */
  still(): Promise<void>;
  texts(place?: string): readonly string[];
  /** A new process on the same ledger and the same platform. */
  restart(ledger?: Ledger): Desk;
}

interface Database {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly direct: Beside;
}

export const createDesk = (
  board = createBoard(),
  rest: Database = openGrouped(),
  states = new Map<ConversationId, State>(),
): Desk => {
  const { store, ledger, direct } = rest;
  const clock = createManualClock();
  const warnings: string[] = [];
  const faults: ConversationId[] = [];
  const note: Log["warn"] = (message) => void warnings.push(message);
  const log: Log = { info: () => {}, warn: note, error: note };
  const boot = `boot${boots++}`;
  let ids = 0;
  let rendered = 0;
  const progress: Renderer["progress"] = (...given) => {
    rendered += 1;
    return renderer.progress(...given);
  };
  const deliverer = createDeliverer({
    name: "board",
    surface: boundSurface(board.surface, clock),
    renderer: () => ({ ...renderer, progress }),
    languageAt: () => "en",
    toolLooks: looks,
    store,
    ledger,
    blobs: board.blobs,
    maskFile: (bytes) => board.maskFile(bytes),
    clock,
    log,
    randomId: () => `${boot}x${ids++}`,
    fault: (id) => void faults.push(id),
  });
  const keep = (id: ConversationId, posts: readonly Post[]): void => {
    const before = states.get(id) ?? begin(direct.store, id);
    states.set(id, take(direct.store, commitOf(before, { posts })));
  };
  return {
    board,
    clock,
    ledger,
    deliverer,
    warnings,
    faults,
    rendered: () => rendered,
    thread: (id, place = "C1") => {
      states.set(id, begin(direct.store, id));
      direct.ledger.bind({ conversation: id, surface: "board", place, root: id });
    },
    post: (id, ...posts) => {
      keep(id, posts);
      deliverer.heard(id, { kind: "posts", rows: [] });
    },
    store: (id, ...posts) => keep(id, posts),
    status: (id, status) => {
      const stored = store.load(id);
      if (stored === null) throw new Error("no such conversation");
      deliverer.heard(id, { kind: "state", overview: stored, status, question: null });
    },
    live: (id, text) => deliverer.heard(id, { kind: "live", request: "e1", text }),
    still: () => deliverer.quiet(),
    texts: (place = "C1") =>
      board.messages.filter((one) => one.place === place).map(({ content }) => content.text),
    restart: (changed = ledger) => createDesk(board, { ...rest, ledger: changed }, states),
  };
};

let boots = 0;

export const post = (key: string): Post => notice(key, 1);

export const question = (key: string): Post => ({
  ...notice(key, 1),
  final: false,
  actions: ["approve", "deny"],
  body: {
    kind: "question",
    question: "q1",
    turn: 1,
    asker: "slack:U1",
    message: "m-1",
    call: { id: "t1", name: "request_mode_upgrade", intent: "upgrade" },
    decision: null,
  },
});

/** A post whose message carries the file of hash `h`. */
export const file = (key: string): Post => ({
  ...notice(key, 1),
  body: { kind: "file", message: "m-1", index: 0 },
});

export const decided = (key: string): Post => ({ ...question(key), final: true, actions: [] });

export const thinking: ThreadStatus = {
  kind: "thinking",
  tool: null,
  attempt: 1,
  wait: null,
  actions: ["stop"],
};
