/**
 * One process of the host on a data directory and a Slack: the real store, runtime, deliverer and surface. What it
 * knows ends with it; the file, Slack and the people outside do not.
 */

import { createBot, type RunningBot } from "../../src/runtime/bot.ts";
import { createDeliverer, type Deliverer } from "../../src/runtime/deliver/deliverer.ts";
import type { Store } from "../../src/runtime/ports.ts";
import { createCatchUp } from "../../src/runtime/chat/catch-up.ts";
import { createGap } from "../../src/runtime/chat/gap.ts";
import { createInbox } from "../../src/runtime/chat/inbox.ts";
import type { Ledger, Limits } from "../../src/runtime/ports-surface.ts";
import { createSlots } from "../../src/runtime/slots.ts";
import { silent } from "../../src/store/silent.ts";
import { openStore } from "../../src/store/sqlite.ts";
import { createSlackRenderer } from "../../adapters/slack/render.ts";
import { createSlackClient, createSlackSurface, slackLimits } from "../../adapters/slack/surface.ts";
import type { FakeSlack } from "../fakes/slack/fake.ts";
import type { Worn } from "./disk.ts";
import type { StepClock } from "./clock.ts";
import {
  createPoints,
  mortalClock,
  mortalBacklog,
  mortalChat,
  mortalCursors,
  mortalLedger,
  mortalStore,
  mortalSurface,
  mortalWriter,
  type Points,
} from "./points.ts";
import { createBacklog } from "../../adapters/slack/missed.ts";
import { admit } from "../../adapters/slack/inbound.ts";
import { createHandle, earsOf } from "./manners.ts";
import { createModel, type Outside, tools } from "./script.ts";
import { testModes } from "../runtime/modes.ts";

export interface Process {
  readonly bot: RunningBot;
  /** An event of Slack: whether it was acknowledged. */
  hear(event: unknown): Promise<boolean>;
  /** Something that was heard is not handled yet, or what was missed not read. */
  isListening(): boolean;
  /** Takes up what the last process left. Never settles where it ends before. */
  start(): Promise<void>;
  readonly deliverer: Deliverer;
  readonly store: Store;
  readonly ledger: Ledger;
  readonly points: Points;
  /** Ends it at once: nothing of it reaches the file or Slack any more. */
  drop(): Promise<void>;
}

export interface ProcessDeps {
  readonly directory: string;
  readonly fake: FakeSlack;
  readonly clock: StepClock;
  readonly outside: Outside;
  readonly endAt: number | null;
  readonly disk: Worn;
  /** How long a call that Slack never answers takes to fail, in real milliseconds. */
  readonly timeout: number;
}

let processes = 0;

export const createProcess = (deps: ProcessDeps): Process => {
  const { fake } = deps;
  const points = createPoints(deps.endAt);
  const opened = openStore(deps.directory, silent, mortalWriter(points, deps.disk.start));
  if (opened.kind === "failed") throw new Error(opened.message);
  const clock = mortalClock(deps.clock, points);
  const store = mortalStore(opened.store, points);
  const ledger = mortalLedger(opened.ledger, points);
  const chat = mortalChat(opened.chat, points);
  const client = createSlackClient(fake.botToken, { apiUrl: fake.apiUrl, timeout: deps.timeout });
  const boot = `p${processes++}`;
  let ids = 0;
  let caughtUp = false;
  let hearing = 0;
  const randomId = (): string => `${boot}x${ids++}`;
  const surface = mortalSurface(createSlackSurface(client, quick), points);
  const deliverer = createDeliverer({
    name: "slack",
    surface,
    renderer: createSlackRenderer({ covers: "Tools may write." }),
    store,
    ledger,
    clock,
    log: silent,
    randomId,
  });
  const bot = createBot({
    store,
    clock,
    randomId,
    log: silent,
    boot,
    confinement: "enforced",
    system: "system",
    modelName: "test",
    modes: testModes,
    safeMode: true,
    model: createModel(deps.outside),
    tools,
    workspaces: {
      open: ({ base }) =>
        Promise.resolve({ kind: "ready", base: base ?? { commit: "abc123", ref: "main", cwd: "/work" } }),
    },
    modelSlots: createSlots(4),
    toolSlots: createSlots(4),
    watch: (id, change) => {
      if (!points.isDead()) deliverer.heard(id, change);
    },
  });
  const gap = createGap();
  const ears = earsOf(ledger);
  const inbox = createInbox({
    surface: "slack",
    store: chat,
    clock,
    log: silent,
    slots: createSlots(4),
    gap,
    handle: createHandle(bot, ledger),
  });
  const catchUp = createCatchUp({
    surface: "slack",
    backlog: mortalBacklog(createBacklog(client, ears), points),
    cursors: mortalCursors(opened.cursors, points),
    inbox,
    gap,
    ledger,
    clock,
    log: silent,
  });
  return {
    bot,
    hear: async (event) => {
      const arrival = admit(event, ears);
      if (arrival === null) return true;
      hearing += 1;
      const { kind } = await inbox.arrive(arrival);
      hearing -= 1;
      return kind !== "failed";
    },
    isListening: () => hearing > 0 || !caughtUp || opened.chat.unhandled("slack").length > 0,
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

/** Slack's limits with so many calls to spend that none waits for the clock. */
const quick: Limits = { ...slackLimits, burst: 10_000 };
