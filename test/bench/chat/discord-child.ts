/**
 * One process of the host with its Discord surface, its store in a file and a model that answers at once. Its first line of
 * input names the threads that are conversations already; every further line is the number of turns to wait for, and is
 * answered by what the process holds in memory then.
 */

import { alone } from "../../runtime/alone.ts";
import { createInterface } from "node:readline";
import { z } from "zod";
import { openChat } from "../../../src/app/chat.ts";
import { randomId } from "../../../src/app/process/random-id.ts";
import { readConfig } from "../../../src/app/settings/config.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { ChatSurface } from "../../../src/ports/connection.ts";
import type { Repo } from "../../../src/ports/conversation.ts";
import { NO_LINKS } from "../../../src/ports/links.ts";
import { createBot } from "../../../src/runtime/bot/bot.ts";
import { createSlots } from "../../../src/runtime/live/slots.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { openStore } from "../../store/open-store.ts";
import { fortyLines } from "../../cited.ts";
import { maskHere } from "../../mask-here.ts";
import { plainWorkspaces } from "../../plain-workspaces.ts";
import { NO_APP_POSTS } from "../../../src/ports/app-posts.ts";
import { UNOBSERVED } from "../../../src/ports/observer.ts";
import { testModes } from "../../runtime/modes.ts";
import { textAnswer } from "../../runtime/world.ts";
import { looks, originOf } from "../../looks.ts";

const REPO: Repo = { kind: "url", location: "https://github.com/acme/api.git" };

const orders = z.object({
  apiUrl: z.string(),
  token: z.string(),
  data: z.string(),
  threads: z.array(z.object({ place: z.string(), root: z.string(), people: z.array(z.string()) })),
});

const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
const { apiUrl, token, data, threads } = orders.parse(JSON.parse((await lines.next()).value ?? ""));

const read = readConfig(
  {
    DISCORD_TOKEN: token,
    DISCORD_API_URL: apiUrl,
    PARLEY_MODEL: "demo",
    PARLEY_REPOS: "acme/api",
    PARLEY_DATA: data,
  },
  "/nonexistent",
);
if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
const opened = openStore(data, silentLog);
if (opened.kind === "failed") throw new Error(opened.message);
const { chat } = opened;
const blobs = {
  put: () => Promise.resolve({ kind: "stored", hash: "h" } as const),
  get: () => Promise.resolve(null),
  remove: () => Promise.resolve({ kind: "done" } as const),
};
const pictures = { decode: () => Promise.resolve({ kind: "refused", message: "none here" } as const) };
const surfaces: readonly ChatSurface[] = await openChat(read.config, {
  ...opened,
  commands: async () => [],
  clicks: new Map(),
  attends: [],
  appPosts: NO_APP_POSTS,
  readLinks: NO_LINKS,
  renewed: () => undefined,
  isAlone: true,
  taking: (_, own) => own,
  conceal: () => null,
  observer: UNOBSERVED,
  clock: systemClock,
  log: silentLog,
  blobs,
  pictures,
  files: { bytes: 25 * 2 ** 20, directory: () => "/files", attached: opened.store.attached },
  modes: testModes,
  toolLooks: looks,
  models: { all: ["demo"], knows: (name) => name === "demo" },
  maskFile: maskHere,
  fault: () => undefined,
  alert: () => undefined,
});
const discord = surfaces.find(({ name }) => name === "discord");
if (discord === undefined || discord.off !== null) throw new Error("Discord is off");

/** Conversations whose turn has ended, and who waits for how many. */
let ended = 0;
let waiting: { readonly count: number; readonly settle: () => void } | null = null;
const working = new Set<ConversationId>();
const bot = createBot({
  ...alone,
  store: opened.store,
  blobs,
  clock: systemClock,
  log: silentLog,
  randomId,
  boot: randomId(),
  confinement: "enforced",
  system: "system",
  agentSystem: "agents",
  modelName: "test",
  modes: testModes,
  safeMode: true,
  model: {
    window: () => 200_000,
    respond: () => Promise.resolve(textAnswer(`It is in src/app.ts:3. ${"Because of that. ".repeat(40)}`)),
  },
  tools: {
    specs: [],
    agentSpecs: [],
    intent: () => ({ intent: "tool" }),
    dangers: () => Promise.resolve([]),
    run: () => Promise.reject(new Error("nothing runs here")),
    origin: originOf,
    look: looks,
    stopBackground: () => Promise.resolve(),
  },
  citations: fortyLines,
  workspaces: plainWorkspaces(() => ({ commit: "abc1234567", ref: "main", cwd: "/work" })),
  modelSlots: createSlots(8),
  toolSlots: createSlots(8),
  watch: (id, change) => {
    discord.heard(id, change);
    if (change.kind !== "state") return;
    if (change.overview.state.phase.kind !== "idle") working.add(id);
    else if (working.delete(id)) ended += 1;
    if (waiting !== null && ended >= waiting.count) waiting.settle();
  },
});
await bot.recover();
for (const place of new Set(threads.map((thread) => thread.place))) {
  await chat.bind("discord", place, { repo: REPO, by: "discord:1", at: 1 });
}
for (let from = 0; from < threads.length; from += 100) {
  await Promise.all(threads.slice(from, from + 100).map(begin));
}
await discord.start(bot);
console.log("ready");

for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  const count = Number(line.value);
  if (ended < count) await new Promise<void>((settle) => void (waiting = { count, settle }));
  for (let times = 0; times < 3; times += 1) {
    globalThis.gc?.();
    await new Promise(setImmediate);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify({ rss, heap: heapUsed + external }));
}
await discord.leave();
await bot.close();
await discord.close();
await opened.store.close();

/** Two people have spoken in it: what they say to each other is nothing to answer. */
async function begin({ place, root, people }: (typeof threads)[number]): Promise<void> {
  const title = "Why does it not start?";
  const created = await bot.create({
    surface: "discord",
    repo: REPO,
    title,
    by: "discord:1",
    thread: { place, root },
  });
  if (created.kind !== "created") throw new Error(created.message);
  const { id } = created.overview.conversation;
  for (const person of people) await chat.joined(id, { person, hinted: true });
}
