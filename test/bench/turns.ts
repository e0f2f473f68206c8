/**
 * What the host does for a turn at the beginning and at the end of a long conversation: the message is claimed, the
 * request is made of the transcript, a tool answers, the answer is posted. The model and the tool answer at once, and the
 * SDK's serialising is left out: it is measured beside it, a megabyte at a time. Two databases, one young and one with
 * 1,000 turns behind it, take the same turns alternately in one run; processor time, `synchronous = OFF`, so that neither
 * the disk nor others count. The ratio is formed sample by sample, each five turns.
 */

import { alone } from "../runtime/alone.ts";
import { join } from "node:path";
import { randomId } from "../../src/app/process/random-id.ts";
import { systemClock } from "../../src/app/system-clock.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import type { MessageCache } from "../../src/model/message-cache.ts";
import { requestParams } from "../../src/model/request.ts";
import type { Model, ModelRequest } from "../../src/ports/model.ts";
import type { Store } from "../../src/ports/store.ts";
import { createBot, type RunningBot } from "../../src/runtime/bot/bot.ts";
import { createSlots } from "../../src/runtime/live/slots.ts";
import { connectDatabase } from "../../src/store/base/connect.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { portsOf } from "../../src/store/sqlite.ts";
import { fortyLines } from "../cited.ts";
import { testModes } from "../runtime/modes.ts";
import { readyWorkspaces, textAnswer, toolAnswer, toolResult } from "../runtime/world.ts";
import { operator } from "../store/plain.ts";
import type { Bench } from "./bench.ts";
import { atMost, measured } from "./figure.ts";
import { temporary } from "./temporary.ts";
import { writeHere } from "../store/in-memory.ts";
import { TABLES } from "../store/tables.ts";
import { looks, originOf } from "../looks.ts";

const EARLY = 10;
const ASKED = { name: "claude-sonnet-5-5", caching: true, thinking: null };
const NO_PICTURES = { blobs: { get: () => Promise.resolve(null) }, isRefused: () => false };
/** Turns of one sample. */
const TURNS = 5;
const TEXT = "A line of an answer or of a command's output, as long as such lines are.\n".repeat(14);

export const turnsBench: Bench = {
  name: "turns",
  what: "the host's time for turn 1,000 against turn 10",
  run: async (scale, note) => {
    const { late, pairs } = scale === "tiny" ? { late: 20, pairs: 2 } : { late: 1_000, pairs: 40 };
    await using place = await temporary();
    const old = open(join(place.path, "old.sqlite"));
    const young = open(join(place.path, "young.sqlite"));
    note(`${late} turns are taken`);
    const aged = await begun(old.bot, late);
    await timed(old.bot, aged);
    const samples: { readonly early: number; readonly late: number }[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const fresh = await begun(young.bot, EARLY);
      const first = pair % 2 === 1 ? await timed(old.bot, aged) : null;
      const early = await timed(young.bot, fresh);
      samples.push({ early, late: first ?? (await timed(old.bot, aged)) });
    }
    const written = serialised(old.last());
    await old.close();
    await young.close();
    return [
      measured(
        "turn 10",
        "ms",
        samples.map((one) => one.early),
      ),
      measured(
        `turn ${late.toLocaleString("en-US")}`,
        "ms",
        samples.map((one) => one.late),
      ),
      measured(
        "ratio",
        "x",
        samples.map((one) => one.late / one.early),
        atMost(1.3),
      ),
      measured("serialising a megabyte of request", "ms", written, atMost(10)),
    ];
  },
};

interface Opened {
  readonly bot: RunningBot;
  /** The last request as the SDK gets it. */
  readonly last: () => unknown;
  readonly close: () => Promise<void>;
}

const open = (name: string): Opened => {
  const connected = connectDatabase(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  db.pragma("synchronous = OFF");
  return openOver(portsOf(name, db, TABLES, silentLog, writeHere, () => {}).store);
};

/** A bot whose model and tool answer at once. */
export const openOver = (store: Store): Opened => {
  let last: unknown = null;
  const made: MessageCache = new WeakMap();
  const model: Model = {
    window: () => 10_000_000,
    respond: async (request) => {
      ({ params: last } = await requestParams(request, {
        ...NO_PICTURES,
        model: ASKED,
        maxTokens: 16_384,
        made,
      }));
      return answerTo(request);
    },
  };
  const bot = createBot({
    ...alone,
    store,
    blobs: { remove: () => Promise.resolve({ kind: "done" }) },
    clock: systemClock,
    log: silentLog,
    randomId,
    boot: randomId(),
    confinement: "enforced",
    system: "system",
    agentSystem: "agents",
    modelName: "claude-sonnet-5-5",
    modes: testModes,
    safeMode: true,
    model,
    tools: {
      agentSpecs: [],
      specs: [{ name: "bash", description: "runs", inputSchema: { type: "object" } }],
      intent: () => ({ intent: "tool" }),
      dangers: () => Promise.resolve([]),
      run: () => Promise.resolve(toolResult(TEXT)),
      origin: originOf,
      look: looks,
      stopBackground: () => Promise.resolve(),
    },
    citations: fortyLines,
    workspaces: readyWorkspaces,
    modelSlots: createSlots(8),
    toolSlots: createSlots(8),
  });
  return {
    bot,
    last: () => last,
    close: async () => {
      await bot.close();
      await store.close();
    },
  };
};

/** A tool first, then the answer. */
const answerTo = ({ messages }: ModelRequest) =>
  messages.at(-1)?.content.some(({ kind }) => kind === "toolResult") === true
    ? textAnswer(TEXT)
    : toolAnswer({ name: "bash", input: { command: "ls" } });

interface Thread {
  readonly id: ConversationId;
  /** Turns taken. */
  turns: number;
}

export const begun = async (bot: RunningBot, turns: number): Promise<Thread> => {
  const repo = { kind: "path", location: "/repo" } as const;
  const created = await bot.create({ surface: "console", repo, title: "t", by: operator.id });
  if (created.kind !== "created") throw new Error(created.message);
  const thread: Thread = { id: created.overview.state.id, turns: 0 };
  for (let turn = 0; turn < turns; turn += 1) await take(bot, thread);
  return thread;
};

/** One turn. */
export const take = async (bot: RunningBot, thread: Thread): Promise<void> => {
  const { id: conversation } = thread;
  thread.turns += 1;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = bot.subscribe(conversation, (change) => {
    if (change.kind !== "state") return;
    const { phase, turn } = change.overview.state;
    if (phase.kind === "idle" && turn.no === thread.turns && turn.end !== null) resolve();
  });
  const said = await bot.say({
    surface: "console",
    id: randomId(),
    conversation,
    speaker: operator,
    text: TEXT,
    images: [],
  });
  if (said.kind !== "accepted") throw new Error(`the message was ${said.kind}`);
  await promise;
  stop();
};

/** Milliseconds of the processor for a turn. */
const timed = async (bot: RunningBot, thread: Thread): Promise<number> => {
  const before = process.cpuUsage();
  for (let turn = 0; turn < TURNS; turn += 1) await take(bot, thread);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / TURNS;
};

const serialised = (request: unknown): readonly number[] =>
  Array.from({ length: 20 }, () => {
    const from = performance.now();
    const { length } = JSON.stringify(request);
    return ((performance.now() - from) * 1_000_000) / length;
  });
