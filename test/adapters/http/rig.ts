/** The console over real HTTP, in front of the real runtime and store; model and tools answer what a script says. */

import { alone } from "../../runtime/alone.ts";
import { createListener, type ListenerDeps } from "../../../adapters/http/listener.ts";
import { publicAddress } from "../../../adapters/http/public-address.ts";
import type { PathRoutes } from "../../../src/ports/path-routes.ts";
import { formsOf } from "../../../src/app/chat/platforms.ts";
import { forgetRequest } from "../../../src/app/forget-person.ts";
import { offSurface } from "../../../src/app/chat/off-surface.ts";
import { createHostStatus } from "../../../src/app/host-status.ts";
import { openFeaturesOf } from "../open-features.ts";
import { lateBot } from "../../../src/app/late-bot.ts";
import type { Speaker } from "../../../src/machine/vocabulary.ts";
import type { FleetHost, LateThread } from "../../../src/ports/figures.ts";
import type { OpenAlert } from "../../../src/ports/operator-alerts.ts";
import type { Bot } from "../../../src/ports/bot.ts";
import { UNOBSERVED } from "../../../src/ports/observer.ts";
import type { ConsoleHost, ConsoleRequest, ConsoleSandbox, Health } from "../../../src/ports/console.ts";
import type { Repo } from "../../../src/ports/conversation.ts";
import { NO_KNOWLEDGE } from "../../../src/ports/knowledge.ts";
import type { ReadName } from "../../../src/ports/channels.ts";
import type { OwnerTable } from "../../../src/thread/owners.ts";
import type { Drafts } from "../../../src/ports/drafts.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import type { Blobs, Store } from "../../../src/ports/store.ts";
import type { Writes } from "../../../src/ports/tools.ts";
import { createBot, type RunningBot } from "../../../src/runtime/bot/bot.ts";
import { createTakePicture, type TakePicture } from "../../../src/ports/pictures.ts";
import { createSlots } from "../../../src/runtime/live/slots.ts";
import { createBlobs } from "../../../src/store/tables/blobs.ts";
import { fortyLines } from "../../cited.ts";
import { replayAll } from "../../replay.ts";
import { testModes } from "../../runtime/modes.ts";
import { scratch } from "../../scratch.ts";
import { lazyPictures } from "./pictures.ts";
import { createScript, type Script } from "./script.ts";
import type { Language } from "../../../src/i18n/say.ts";
import { openMemory } from "../../store/in-memory.ts";
import { looks } from "../../looks.ts";

export const TOKEN = "a-token-of-the-test-0123456789";

export interface Rig {
  readonly bot: RunningBot;
  readonly script: Script;
  readonly blobs: Blobs;
  readonly origin: string;
  /** The link as `npm start` prints it. */
  readonly url: string;
  readonly port: number;
  /** With the token, JSON body and answer. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A new conversation's id. */
  begin(): Promise<string>;
  setHealth(status: Health["status"], away?: Health["away"]): void;
  /** The process dies and starts again: same store, same port, another boot. */
  restart(): Promise<Rig>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface RigOptions {
  readonly beside?: (bot: Bot, parts: { readonly takePicture: TakePicture }) => PathRoutes;
  readonly operator?: Speaker;
  /** What finished drafts come to, and what drafts hold by now. */
  readonly drafted?: { readonly writes: Writes; readonly drafts: Pick<Drafts, "tree"> };
  /** PARLEY_CODEOWNERS. */
  readonly owners?: OwnerTable;
  readonly confinement?: "enforced" | "unavailable";
  readonly store?: Store;
  readonly alerts?: readonly OpenAlert[];
  readonly fleet?: readonly FleetHost[];
  readonly late?: readonly LateThread[];
  /** What was opened with the store. */
  readonly opened?: ReturnType<typeof openMemory>;
  readonly port?: number;
  readonly proxies?: readonly string[];
  readonly publicUrl?: string;
  readonly log?: Log;
  readonly model?: ConsoleHost["model"];
  readonly defaultRepo?: Repo | null;
  /** What platforms say of their channels' names. */
  readonly called?: Readonly<Record<string, ReadName>>;
  /** For what is remembered of them. */
  readonly clock?: Pick<Clock, "now">;
  /** Names of MCP servers. */
  readonly servers?: readonly string[];
  readonly language?: Language;
  readonly observer?: ListenerDeps["observer"] & ConsoleHost["observer"];
  /** Before those of the list. */
  readonly requests?: readonly ConsoleRequest[];
}

/** A request of a feature. */
const SAMPLE: ConsoleRequest = {
  method: "get",
  path: "/sample",
  does: "A sample.",
  approvers: null,
  counter: "sample",
  answer: async () => new Response("A sample."),
};

export const createRig = async (options: RigOptions = {}): Promise<Rig> => {
  const opened = options.opened ?? openMemory();
  const store = options.store ?? opened.store;
  const script = createScript();
  const slots = { model: createSlots(64), tools: createSlots(8) };
  const confinement = options.confinement ?? "enforced";
  const blobs = createBlobs(scratch("console"), silent);
  const bot = createBot({
    ...alone,
    store,
    blobs,
    clock,
    randomId,
    log: silent,
    boot: randomId(),
    confinement,
    system: "system",
    agentSystem: "agents",
    modelName: "scripted-1",
    modes: testModes,
    safeMode: true,
    model: script.model,
    tools: { ...script.tools, ...(options.drafted && { writes: options.drafted.writes }) },
    ...(options.drafted && { drafts: options.drafted.drafts }),
    ...(options.owners && { owners: options.owners }),
    citations: fortyLines,
    workspaces: script.workspaces,
    modelSlots: slots.model,
    toolSlots: slots.tools,
  });
  let health: Pick<Health, "status" | "away"> = { status: "ok", away: [] };
  const pictures = lazyPictures();
  const takePicture = createTakePicture({ pictures, blobs });
  const models = { all: ["test", "other"], knows: (name: string) => ["test", "other"].includes(name) };
  const operator = options.operator ?? { id: "console:operator", mayDrive: true, mayApprove: true };
  const features = await openFeaturesOf({
    ...opened,
    models,
    clock: { ...clock, ...options.clock },
    log: options.log ?? silent,
    randomId,
    version: VERSION,
    operator,
    operatorToken: TOKEN,
    covers: confinement === "enforced" ? HELD_COVERS : MISSING_COVERS,
    repo:
      options.defaultRepo === undefined ? { kind: "path", location: "/srv/lantern" } : options.defaultRepo,
    takePicture,
    surfaces: () =>
      Object.entries(options.called ?? {}).map(([name, readName]) => ({
        ...offSurface(name, "off"),
        readName,
      })),
    bot: lateBot(() => bot),
  });
  const published = publicAddress(options.publicUrl ?? "");
  const observer = options.observer ?? UNOBSERVED;
  const sandbox = confinement === "enforced" ? HELD : MISSING;
  const healthNow = (): Health => ({ ...health, surfaces: { console: "on", slack: "off" } });
  const page = await features.web({
    bot,
    base: published?.base ?? "",
    boards: features.boards,
    budgets: features.budgets,
    servers: options.servers ?? [],
    knowledge: NO_KNOWLEDGE,
    feedback: opened.feedback,
    blobs,
    language: options.language ?? "en",
    model: options.model ?? { name: "scripted-1", notice: null },
    toolLooks: looks,
    formsOf,
    sandbox,
    health: healthNow,
    whyOff: { slack: "SLACK_BOT_TOKEN is not set", console: null },
    status: createHostStatus({
      startedAt: 1_700_000_000_000,
      directory: scratch("console-disk"),
      store,
      figures: opened.figures,
      alerts: () => options.alerts ?? [],
      parked: () => 2,
      hosts: () => Promise.resolve(options.fleet ?? []),
      knowledge: NO_KNOWLEDGE.figures,
      late: () => options.late ?? [],
      slots,
    }),
    observer,
  });
  const web = createListener({
    requests: [
      forgetRequest(() => ({ bot, operator })),
      ...(options.requests ?? [SAMPLE]),
      ...features.requests,
    ],
    besides: options.beside === undefined ? [] : [options.beside(bot, { takePicture })],
    web: page,
    log: options.log ?? silent,
    token: TOKEN,
    operator,
    version: VERSION,
    sandbox,
    hosts: ["parley.example"],
    published,
    proxies: options.proxies ?? [],
    observer,
    health: healthNow,
  });
  const listening = await web.listen("127.0.0.1", options.port ?? 0);
  if (listening.kind === "failed") throw new Error(listening.message);
  await bot.recover();
  const { url, port } = listening;
  const origin = `http://127.0.0.1:${port}`;
  const call: Rig["call"] = async (method, path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const close = async (): Promise<void> => {
    await web.close();
    await features.leave();
    await bot.close();
    await features.close();
    await pictures.close();
    replayAll(store);
  };
  return {
    bot,
    script,
    blobs,
    origin,
    url,
    port,
    call,
    begin: async () => field((await call("POST", "/api/conversations", {})).body, "id"),
    setHealth: (status, away = []) => {
      health = { status, away };
    },
    restart: async () => {
      await close();
      return createRig({ ...options, opened, store, port });
    },
    close,
  };
};

/** A string field of a JSON answer. */
export const field = (body: unknown, name: string): string => {
  const value = typeof body === "object" && body !== null ? Object.entries(body) : [];
  const found = value.find(([key]) => key === name)?.[1];
  if (typeof found !== "string") throw new Error(`no ${name} in ${JSON.stringify(body)}`);
  return found;
};

const VERSION = "0.0.0-test";

const HELD: ConsoleSandbox = {
  tier: "T0",
  abi: 6,
  notice: null,
  network: "proxy",
  residual: ["One leak."],
};

const HELD_COVERS = "Tools may write in this conversation's checkout; they have no network.";

const MISSING: ConsoleSandbox = {
  tier: "T3",
  abi: 0,
  notice: "This host has no sandbox: Restricted mode needs Linux 5.13 or newer.",
  network: "none",
  residual: [],
};

const MISSING_COVERS = "Tools may do whatever this host's account may.";

const clock: Clock = {
  now: () => Date.now(),
  after: (delay, fire) => {
    const timer = setTimeout(fire, delay);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const randomId = (): string => crypto.randomUUID().replaceAll("-", "");
