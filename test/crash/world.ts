/**
 * One process of the host on a data directory and a platform: the real store, runtime, deliverer and surface. What it
 * knows ends with it; the file, the platform and the people outside do not.
 */

import { alone } from "../runtime/alone.ts";
import { setImmediate } from "node:timers/promises";
import type { Store } from "../../src/ports/store.ts";
import type { Ledger, Limits } from "../../src/ports/surface.ts";
import { createBot, type RunningBot } from "../../src/runtime/bot/bot.ts";
import { createCatchUp } from "../../src/runtime/chat/catch-up.ts";
import { createGap } from "../../src/runtime/chat/listening-gap.ts";
import { createInbox } from "../../src/runtime/chat/inbox.ts";
import { createNewThreads } from "../../src/runtime/chat/new-threads.ts";
import { createDeliverer, type Deliverer } from "../../src/runtime/deliver/deliverer.ts";
import { createSlots } from "../../src/runtime/live/slots.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { openStore } from "../store/open-store.ts";
import { fortyLines } from "../cited.ts";
import { maskHere } from "../mask-here.ts";
import { plainWorkspaces } from "../plain-workspaces.ts";
import { testModes } from "../runtime/modes.ts";
import type { StepClock } from "./clock.ts";
import type { Worn } from "./platforms/disk.ts";
import { createHandle } from "./platforms/handle.ts";
import type { Town } from "./platform.ts";
import type { Play } from "./play.ts";
import {
  createPoints,
  type Done,
  mortalBacklog,
  mortalChat,
  mortalClock,
  mortalCursors,
  mortalLedger,
  mortalStore,
  mortalSurface,
  mortalWriter,
  type Point,
  type Points,
} from "./points.ts";
import { type Outside, readBlob } from "./script.ts";
import { looks } from "../looks.ts";

export interface Process {
  readonly bot: RunningBot;
  /** An event of the platform: whether it was acknowledged. */
  hear(event: unknown): Promise<boolean>;
  /** Something that was heard is not handled yet, or what was missed not read. */
  isListening(): boolean;
  /** A thread lacks something, or shows something that it should not. */
  isBehind(): boolean;
  /** Takes up what the last process left. Never settles where it ends before. */
  start(): Promise<void>;
  readonly deliverer: Deliverer;
  readonly store: Store;
  readonly ledger: Ledger;
  readonly points: Points;
  /** Ends it at once: nothing of it reaches the file or the platform any more. */
  drop(): Promise<void>;
}

export interface ProcessDeps {
  readonly directory: string;
  readonly town: Pick<Town, "surface" | "connect">;
  readonly clock: StepClock;
  readonly outside: Outside;
  readonly play: Play;
  /** Whether the process ends at this point. */
  readonly isEnd: (point: Point) => boolean;
  /** What was done on this day so far. */
  readonly done: Done;
  readonly disk: Worn;
  /** How long a call that is never answered takes to fail, in real milliseconds. */
  readonly timeout: number;
  /** Unset: the platform's, with so many calls to spend that none waits. */
  readonly limits?: Limits | undefined;
}

let processes = 0;

export const createProcess = (deps: ProcessDeps): Process => {
  const { surface: name } = deps.town;
  const points = createPoints(deps.isEnd, deps.done);
  const opened = openStore(deps.directory, silentLog, mortalWriter(points, deps.disk.start));
  if (opened.kind === "failed") throw new Error(opened.message);
  const clock = mortalClock(deps.clock, points);
  const store = mortalStore(opened.store, points);
  const ledger = mortalLedger(opened.ledger, points);
  const chat = mortalChat(opened.chat, points);
  const { timeout, limits } = deps;
  const connection = deps.town.connect({ timeout, limits, ledger, clock, around: points.call });
  const boot = `p${processes++}`;
  let ids = 0;
  let caughtUp = false;
  let hearing = 0;
  const randomId = (): string => `${boot}x${ids++}`;
  const deliverer = createDeliverer({
    name,
    surface: mortalSurface(connection.platform, points),
    renderer: () => connection.renderer,
    languageAt: () => "en",
    toolLooks: looks,
    store,
    ledger,
    blobs: { get: readBlob },
    maskFile: maskHere,
    clock,
    log: silentLog,
    randomId,
    fault: () => undefined,
  });
  const shown = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    await deliverer.quiet();
  };
  const bot = createBot({
    ...alone,
    blobs: { remove: () => Promise.resolve({ kind: "done" }) },
    store,
    clock,
    randomId,
    log: silentLog,
    boot,
    confinement: "enforced",
    system: "system",
    agentSystem: "agents",
    modelName: "test",
    modes: testModes,
    safeMode: true,
    model: deps.play.model(deps.outside, () => Promise.race([shown(), points.ended])),
    tools: deps.play.tools(points),
    citations: fortyLines,
    workspaces: plainWorkspaces(() => deps.play.base),
    threads: createNewThreads({
      name,
      ledger,
      chat: opened.chat,
      opener: connection.opener,
      languageAt: () => "en",
      clock,
      log: silentLog,
    }),
    modelSlots: createSlots(4),
    toolSlots: createSlots(4),
    watch: (id, change) => {
      if (!points.isDead()) deliverer.heard(id, change);
    },
  });
  const gap = createGap();
  const inbox = createInbox({
    surface: name,
    store: chat,
    clock,
    log: silentLog,
    slots: createSlots(4),
    gap,
    stored: () => void catchUp.run(),
    handle: createHandle(name, bot, ledger, connection.saidOf, deps.play.repo),
  });
  const catchUp = createCatchUp({
    surface: name,
    backlog: mortalBacklog(connection.backlog, points),
    rows: opened.chat,
    cursors: mortalCursors(opened.cursors, points),
    inbox,
    gap,
    ledger,
    clock,
    log: silentLog,
    tellLeft: () => Promise.resolve(),
    passedOver: () => undefined,
  });
  return {
    bot,
    hear: async (event) => {
      const arrival = connection.admit(event);
      if (arrival === null) return true;
      hearing += 1;
      const { kind } = await inbox.arrive(arrival);
      hearing -= 1;
      return kind !== "failed";
    },
    isListening: () => hearing > 0 || !caughtUp || opened.chat.unhandled(name).length > 0,
    // A thread that is only asked once more for the twin of a message lacks nothing.
    isBehind: () => (opened.figures().behind[name] ?? 0) > 0,
    start: async () => {
      await bot.recover();
      deliverer.start();
      inbox.start();
      void catchUp.run().then(() => {
        caughtUp = true;
        return undefined;
      });
    },
    deliverer,
    store,
    ledger,
    points,
    drop: async () => {
      points.end();
      await points.landed();
      await opened.store.close();
    },
  };
};
