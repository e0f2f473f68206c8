/**
 * A world that the test owns: a clock that moves when told, ids that count, model and tools whose answers the test
 * gives, and the real store in memory. Everything that happened in it is replayed when the test is over (L12).
 */

import * as z from "zod";
import type { DangerWords } from "../../src/core/prompt.ts";
import type { Model, ModelOutcome, ModelRequest, Store, Workspaces } from "../../src/runtime/ports.ts";
import type { ToolOutcome, ToolRun, Tools } from "../../src/runtime/ports-tools.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import { onTestFinished } from "vitest";
import { createBot, type RunningBot } from "../../src/runtime/bot.ts";
import { createSlots } from "../../src/runtime/slots.ts";
import { openMemoryStore } from "../../src/store/sqlite.ts";
import type { Confinement, Speaker, Usage } from "../../src/core/words.ts";
import type { ConversationId } from "../../src/core/id.ts";
import { testModes } from "./modes.ts";
import { replayAll } from "../replay.ts";

export const operator: Speaker = { id: "console:operator", mayDrive: true, mayApprove: true };
export const usage: Usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, costMicroUsd: 500 };

export interface Asked<Request, Answer> {
  readonly request: Request;
  readonly signal: AbortSignal;
  answer(value: Answer): void;
}

export interface AskedModel extends Asked<ModelRequest, ModelOutcome> {
  /** Streams a piece of text. */
  text(delta: string): void;
}

export interface World {
  readonly bot: RunningBot;
  readonly store: Store;
  readonly clock: ManualClock;
  /** The next request that reaches the model or a tool, in order of arrival. */
  nextModel(): Promise<AskedModel>;
  nextTool(): Promise<Asked<ToolRun, ToolOutcome>>;
  readonly background: ConversationId[];
  /** A new process on the same database: nothing in memory survives. */
  restart(options?: { readonly confinement?: Confinement }): World;
  say(id: ConversationId, text: string, as?: Speaker): ReturnType<RunningBot["say"]>;
  begin(): Promise<ConversationId>;
}

export interface ManualClock extends Clock {
  /** Moves real time on and fires what is due, in order. */
  advance(by: number): void;
  /** What the wall clock says, without time passing. */
  set(now: number): void;
  pending(): number;
}

export const createWorld = (
  options: {
    readonly store?: Store;
    readonly confinement?: Confinement;
    readonly modelSlots?: number;
    readonly toolSlots?: number;
  } = {},
): World => {
  const store = options.store ?? openMemoryStore();
  const clock = createManualClock();
  const models = createQueue<AskedModel>();
  const tools = createQueue<Asked<ToolRun, ToolOutcome>>();
  const background: ConversationId[] = [];
  let claims = 0;
  const boot = `boot${bootCount++}`;
  let ids = 0;
  if (options.store === undefined) onTestFinished(() => void replayAll(store));
  const bot = createBot({
    store,
    clock,
    randomId: () => `${boot}x${ids++}`,
    log: silent,
    boot,
    confinement: options.confinement ?? "enforced",
    system: "system",
    modelName: "test",
    modes: testModes,
    safeMode: true,
    model: modelPort(models),
    tools: toolPort(tools, background),
    workspaces: readyWorkspaces,
    modelSlots: createSlots(options.modelSlots ?? 8),
    toolSlots: createSlots(options.toolSlots ?? 8),
  });
  return {
    bot,
    store,
    clock,
    background,
    nextModel: models.next,
    nextTool: tools.next,
    restart: (changes = {}) => createWorld({ ...options, ...changes, store }),
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

const modeWish = z.object({ mode: z.string(), branch: z.boolean() });

/** What the tools of these worlds make of every input that holds `sudo`. */
const SUDO: DangerWords = {
  category: "SUDO",
  what: "sudo ls",
  why: "it runs with elevated rights",
  risk: "elevated rights",
  changes: ["anything on the host"],
};

const readyWorkspaces: Workspaces = {
  open: (conversation) =>
    Promise.resolve({
      kind: "ready",
      base: conversation.base ?? { commit: "abc123", ref: "main", cwd: "/work" },
    }),
};

const modelPort = (queue: Queue<AskedModel>): Model => ({
  window: () => 200_000,
  respond: (request, { signal, onText }) =>
    new Promise((answer) => {
      signal.addEventListener("abort", () => answer({ kind: "aborted" }));
      queue.push({ request, signal, answer, text: onText });
    }),
});

const toolPort = (queue: Queue<Asked<ToolRun, ToolOutcome>>, background: ConversationId[]): Tools => ({
  specs: [{ name: "bash", description: "runs", inputSchema: { type: "object" } }],
  intent: (name, input) => {
    if (name === "request_mode_upgrade") return { intent: "upgrade" };
    return name === "agent_change_mode" ? { intent: "mode", ...modeWish.parse(input) } : { intent: "tool" };
  },
  dangers: ({ input }) => Promise.resolve(JSON.stringify(input).includes("sudo") ? [SUDO] : []),
  run: (request, { signal }) =>
    new Promise((answer) => {
      signal.addEventListener("abort", () => answer(toolResult("[command cancelled]")));
      queue.push({ request, signal, answer });
    }),
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
    set: (now) => {
      wall = now;
    },
    pending: () => timers.size,
  };
};
