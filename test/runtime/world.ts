/**
 * A world that the test owns: a clock that moves when told, ids that count, model and tools whose answers the test
 * gives, and the real store in memory. Everything that happened in it is replayed when the test is over (L12).
 */

import { alone } from "./alone.ts";
import { onTestFinished } from "vitest";
import * as z from "zod";
import type { ConversationId } from "../../src/machine/id.ts";
import type { Confinement, Speaker, Usage } from "../../src/machine/vocabulary.ts";
import type { Authors } from "../../src/ports/authors.ts";
import type { AnswerReuse } from "../../src/ports/reuse.ts";
import type { ConversationChange } from "../../src/ports/bot.ts";
import type { Clock, Log } from "../../src/ports/host.ts";
import type { Model, ModelNames, ModelOutcome, ModelRequest } from "../../src/ports/model.ts";
import type { SpendingStore } from "../../src/ports/money.ts";
import type { Store } from "../../src/ports/store.ts";
import type { SessionModes, ToolHooks, ToolOutcome, ToolRun, Tools, Writes } from "../../src/ports/tools.ts";
import type { Workspaces } from "../../src/ports/workspaces.ts";
import type { OwnershipCheck } from "../../src/ports/ownership.ts";
import { createBot, type RunningBot } from "../../src/runtime/bot/bot.ts";
import { createSlots } from "../../src/runtime/live/slots.ts";
import type { DangerContent } from "../../src/thread/prompt.ts";
import { createAskTool } from "../../src/tools/ask-person.ts";
import { createChangeModeTool } from "../../src/tools/change-mode.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { fortyLines } from "../cited.ts";
import { plainWorkspaces } from "../plain-workspaces.ts";
import { replayAll } from "../replay.ts";
import { testModes } from "./modes.ts";
import { openMemory } from "../store/in-memory.ts";
import { looks, originOf } from "../looks.ts";

export const operator: Speaker = { id: "console:operator", mayDrive: true, mayApprove: true };
export const usage: Usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, costMicroUsd: 500 };

export interface Asked<Request, Answer> {
  readonly request: Request;
  readonly signal: AbortSignal;
  answer(value: Answer): void;
}

export interface AskedTool extends Asked<ToolRun, ToolOutcome> {
  readonly hooks: ToolHooks;
}

export interface AskedModel extends Asked<ModelRequest, ModelOutcome> {
  /** Streams a piece of text. */
  text(delta: string): void;
}

export interface World {
  readonly bot: RunningBot;
  readonly store: Store;
  readonly purse: SpendingStore;
  readonly clock: ManualClock;
  /** The next request that reaches the model or a tool, in order of arrival. */
  nextModel(): Promise<AskedModel>;
  nextTool(): Promise<AskedTool>;
  readonly background: ConversationId[];
  /** Blobs that were removed. */
  readonly removed: readonly string[];
  /** A new process on the same database: nothing in memory survives. */
  restart(options?: { readonly confinement?: Confinement }): World;
  say(id: ConversationId, text: string, as?: Speaker): ReturnType<RunningBot["say"]>;
  begin(): Promise<ConversationId>;
}

export interface ManualClock extends Clock {
  /** Moves real time on and fires what is due, in order. */
  advance(by: number): void;
  /** Time that passed, whatever the wall clock says. */
  readonly steady: () => number;
  /** What the wall clock says, without time passing. */
  set(now: number): void;
  pending(): number;
}

export type WrapModel = (parts: {
  readonly model: Model;
  readonly purse: SpendingStore;
  readonly clock: ManualClock;
}) => Model;

export const createWorld = (
  options: {
    readonly store?: Store;
    readonly purse?: SpendingStore;
    /** Stands between the bot and the model. */
    readonly wrapModel?: WrapModel;
    /** In the place of the one whose answers the test gives. */
    readonly model?: Model;
    readonly modelName?: string;
    /** In the place of that one alone. */
    readonly models?: ModelNames;
    readonly confinement?: Confinement;
    readonly modelSlots?: number;
    readonly toolSlots?: number;
    /** What can be written to a forge; nothing where it is left out. */
    readonly writes?: Writes;
    readonly log?: Log;
    /** In the place of the bot, as the tool for modes sees it. */
    readonly sessions?: SessionModes;
    /** Files cannot be removed now. */
    readonly isAway?: () => boolean;
    /** In the place of one that finds every `sudo` at once. */
    readonly dangers?: Tools["dangers"];
    /** In the place of checkouts that are there at once. */
    readonly workspaces?: Workspaces;
    /** Absent: nothing is given again. */
    readonly reuse?: AnswerReuse;
    /** The channel in which somebody looks at answers; nobody does where it is left out. */
    readonly reviewedIn?: string;
    /** One of several hosts. */
    readonly mine?: OwnershipCheck;
    /** Absent: nobody is a person of a chat platform. */
    readonly authors?: Authors;
    readonly watch?: (id: ConversationId, change: ConversationChange) => void;
  } = {},
): World => {
  const opened = openMemory();
  const { store = opened.store, purse = opened.purse } = options;
  const clock = createManualClock();
  const models = createQueue<AskedModel>();
  const tools = createQueue<AskedTool>();
  const background: ConversationId[] = [];
  const removed: string[] = [];
  let claims = 0;
  const boot = `boot${bootCount++}`;
  let ids = 0;
  if (options.store === undefined) onTestFinished(() => void replayAll(store));
  const model = options.model ?? modelPort(models);
  const sessions: SessionModes = options.sessions ?? {
    setSessionMode: (...given) => bot.setSessionMode(...given),
  };
  const changeMode = createChangeModeTool({ modes: testModes, sessions, log: options.log ?? silent });
  const bot: RunningBot = createBot({
    ...alone,
    blobs: {
      remove: (hash) => {
        if (options.isAway?.() === true)
          return Promise.resolve({ kind: "failed", code: "io", message: "the store is away" });
        removed.push(hash);
        return Promise.resolve({ kind: "done" });
      },
    },
    store,
    clock,
    randomId: () => `${boot}x${ids++}`,
    log: options.log ?? silent,
    boot,
    confinement: options.confinement ?? "enforced",
    system: "system",
    agentSystem: "agents",
    modelName: options.modelName ?? "test",
    ...(options.models === undefined ? {} : { models: options.models }),
    modes: testModes,
    safeMode: true,
    model: options.wrapModel?.({ model, purse, clock }) ?? model,
    tools: {
      ...toolPort(tools, background, changeMode),
      ...(options.writes === undefined ? {} : { writes: options.writes }),
      ...(options.dangers === undefined ? {} : { dangers: options.dangers }),
    },
    citations: fortyLines,
    reviewedIn: () => options.reviewedIn ?? null,
    workspaces: options.workspaces ?? readyWorkspaces,
    ...(options.reuse === undefined ? {} : { reuse: options.reuse }),
    ...(options.mine === undefined ? {} : { mine: options.mine }),
    ...(options.authors === undefined ? {} : { authors: options.authors }),
    ...(options.watch === undefined ? {} : { watch: options.watch }),
    modelSlots: createSlots(options.modelSlots ?? 8),
    toolSlots: createSlots(options.toolSlots ?? 8),
  });
  return {
    bot,
    store,
    purse,
    clock,
    background,
    removed,
    nextModel: models.next,
    nextTool: tools.next,
    restart: (changes = {}) => createWorld({ ...options, ...changes, store, purse }),
    say: (conversation, text, speaker = operator) =>
      bot.say({ surface: "console", id: `${boot}-${claims++}`, conversation, speaker, text, images: [] }),
    begin: async () => {
      const created = await bot.create({
        surface: "console",
        repo: { kind: "path", location: "/repo" },
        title: "Test",
        by: operator.id,
      });
      if (created.kind !== "created") throw new Error(created.message);
      return created.overview.state.id;
    },
  };
};

/** A model answer of plain text. */
export const textAnswer = (text: string): ModelOutcome => ({
  kind: "answered",
  blocks: [{ kind: "text", text }],
  stop: "end",
  usage,
});

/** A model answer that asks for tools; ids are t1, t2, … within the answer unless given. */
export const toolAnswer = (
  ...uses: readonly { readonly name: string; readonly input?: unknown; readonly id?: string }[]
): ModelOutcome => ({
  kind: "answered",
  blocks: uses.map(({ name, input, id }, index) => ({
    kind: "toolUse",
    id: id ?? `t${index + 1}`,
    name,
    input: input ?? {},
  })),
  stop: "tools",
  usage,
});

export const toolResult = (text: string): ToolOutcome => ({
  text,
  images: [],
  diff: null,
  isError: false,
  background: false,
  reached: [],
});

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
let bootCount = 0;

const spawnWish = z.object({
  tasks: z.array(z.object({ model: z.string().exactOptional() })),
});
const modeWish = z.object({ mode: z.string(), branch: z.boolean() });

/** What the tools of these worlds make of every input that holds `sudo`. */
export const SUDO: DangerContent = {
  category: "SUDO",
  what: "sudo ls",
  why: "it runs with elevated rights",
  risk: "elevated rights",
  changes: ["anything on the host"],
};

export const readyWorkspaces = plainWorkspaces(() => ({ commit: "abc123", ref: "main", cwd: "/work" }));

const modelPort = (queue: Queue<AskedModel>): Model => ({
  window: () => 200_000,
  respond: (request, { signal, onText }) =>
    new Promise((answer) => {
      signal.addEventListener("abort", () => answer({ kind: "aborted" }));
      queue.push({ request, signal, answer, text: onText });
    }),
});

const ask = createAskTool();

const toolPort = (queue: Queue<AskedTool>, background: ConversationId[], changeMode: Tool): Tools => ({
  specs: [{ name: "bash", description: "runs", inputSchema: { type: "object" } }],
  agentSpecs: [],
  intent: (name, input) => {
    if (name === "request_mode_upgrade") return { intent: "upgrade" };
    if (name === ask.spec.name) return ask.intent(input, []) ?? { intent: "tool" };
    const submits = { submit_result: true, submit_error: false }[name];
    if (submits !== undefined) return { intent: "submit", success: submits };
    if (name === "spawn_agents") return { intent: "spawn", agents: spawnWish.parse(input).tasks };
    return name === "agent_change_mode" ? { intent: "mode", ...modeWish.parse(input) } : { intent: "tool" };
  },
  dangers: ({ input }) => Promise.resolve(JSON.stringify(input).includes("sudo") ? [SUDO] : []),
  run: (request, hooks) =>
    request.name === "agent_change_mode"
      ? changeMode.run(request.input, { ...request, ...hooks })
      : new Promise((answer) => {
          const { signal } = hooks;
          signal.addEventListener("abort", () => answer(toolResult("[command cancelled]")));
          queue.push({ request, signal, answer, hooks });
        }),
  origin: originOf,
  look: looks,
  stopBackground: (id) => {
    background.push(id);
    return Promise.resolve();
  },
});

interface Queue<T> {
  push(item: T): void;
  next: () => Promise<T>;
}

const createQueue = <T>(): Queue<T> => {
  const items: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    push: (item) => {
      const taker = waiting.shift();
      if (taker === undefined) items.push(item);
      else taker(item);
    },
    next: () => {
      const item = items.shift();
      return item === undefined
        ? new Promise((resolve) => {
            waiting.push(resolve);
          })
        : Promise.resolve(item);
    },
  };
};

export const createManualClock = (): ManualClock => {
  const timers = new Set<{ readonly at: number; readonly fire: () => void }>();
  let real = 0;
  let wall = 1_000_000;
  return {
    now: () => wall,
    after: (delay, fire) => {
      const timer = { at: real + delay, fire };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance: (by) => {
      const until = real + by;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        wall += next.at - real;
        real = next.at;
        timers.delete(next);
        next.fire();
      }
      wall += until - real;
      real = until;
    },
    steady: () => real,
    set: (now) => {
      wall = now;
    },
    pending: () => timers.size,
  };
};
