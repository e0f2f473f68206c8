/** Each bot in a process of its own, before a platform and a model that only it has. */

import { join } from "node:path";
import { z } from "zod";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import { openStore } from "../../store/open-store.ts";
import { type Child, launch, launchProgram } from "../child.ts";
import { NO_BUDGETS, startHost } from "../host.ts";
import { peerBot } from "../peers/peers.ts";
import { descendantsOf, processorTime } from "../start/resident.ts";

export type PlatformName = "slack" | "discord";

export interface Order {
  readonly count: number;
  readonly characters: number;
  /** Characters of one chunk of the model. */
  readonly chunk: number;
  readonly channels: number;
  /** Milliseconds after the model has said everything. */
  readonly patience: number;
}

const outcome = z.object({
  calls: z.number(),
  writes: z.number(),
  refusals: z.number(),
  first: z.array(z.number()),
  behind: z.array(z.number()),
  torn: z.int(),
  isOver: z.boolean(),
});
export type Outcome = Readonly<z.infer<typeof outcome>> & {
  /** Milliseconds of the processor that the bot and what it started used for each answer. */
  readonly processor: number;
};

export interface Pair extends AsyncDisposable {
  answer(order: Order): Promise<Outcome>;
}

/** Where to be found in answer to why not. */
export type Bot =
  | { readonly kind: "there"; open(at: Place): Promise<Pair> }
  | { readonly kind: "missing"; readonly why: string };

interface Place {
  readonly platform: PlatformName;
  readonly channels: number;
  /** A directory of this pair's own. */
  readonly path: string;
  readonly repo: string;
}

export const PARLEY = "Parley";
export const CHAT_SDK = "Chat SDK";
const BY_HAND = "by hand";
/** Another checkout of Parley, for a comparison of two versions in one run. */
const OTHER = process.env["PARLEY_OTHER"];

export const botsFor = async (platform: PlatformName): Promise<Readonly<Record<string, Bot>>> => ({
  [PARLEY]: { kind: "there", open: (place) => openParley(place) },
  ...(OTHER === undefined ? {} : { [OTHER]: { kind: "there", open: (place) => openParley(place, OTHER) } }),
  [CHAT_SDK]: await peer(`${platform}-chat-sdk`, `@chat-adapter/${platform}`),
  [BY_HAND]: await peer(`${platform}-by-hand`, platform === "slack" ? "@slack/bolt" : "discord.js"),
});

const peer = async (name: string, needs: string): Promise<Bot> => {
  const bot = await peerBot(name, needs);
  if (bot.kind === "missing") return bot;
  return {
    kind: "there",
    open: async (place) => {
      const { stage, told } = await openStage(place);
      const child = launchProgram(
        process.execPath,
        [bot.path],
        {
          PATH: process.env["PATH"],
          PLATFORM: JSON.stringify(told.platform),
          MODEL: JSON.stringify(told.model),
          NODE_COMPILE_CACHE: join(place.path, "..", "compiled"),
        },
        "ignore",
      );
      await child.lineWith(/^ready$/);
      return pair(stage, child.pid, () => child.end());
    },
  };
};

const told = z.object({
  platform: z.record(z.string(), z.string()),
  channels: z.array(z.string()),
  model: z.object({ url: z.string(), apiKey: z.string() }),
});
const slack = z.object({ apiUrl: z.string(), botToken: z.string(), appToken: z.string() });
const discord = z.object({ apiUrl: z.string(), token: z.string() });

const openStage = async ({ platform, channels }: Place) => {
  const stage = launch([new URL("./stage.ts", import.meta.url).pathname, platform, String(channels)]);
  return { stage, told: told.parse(JSON.parse(await stage.line())) };
};

const openParley = async (place: Place, root?: string): Promise<Pair> => {
  const { stage, told } = await openStage(place);
  const data = join(place.path, "data");
  await bindAll(data, place, told.channels);
  const host = await startHost({
    data,
    compileCache: join(place.path, "..", "compiled"),
    repo: place.repo,
    model: told.model,
    ...(place.platform === "slack"
      ? { slack: slack.parse(told.platform) }
      : { discord: discord.parse(told.platform) }),
    more: { ...NO_BUDGETS, PARLEY_MODEL: "", PARLEY_MODEL_CALLS: "1000" },
    ...omitUndefined({ root }),
  });
  return pair(stage, host.pid, () => host.end());
};

/** What the answer to the first question in a channel does. */
const bindAll = async (
  data: string,
  { platform, repo }: Place,
  channels: readonly string[],
): Promise<void> => {
  const opened = openStore(data);
  if (opened.kind === "failed") throw new Error(opened.message);
  const binding = { repo: { kind: "path", location: repo }, by: `${platform}:U1`, at: 1 } as const;
  for (const channel of channels) await opened.chat.bind(platform, channel, binding);
  await opened.store.close();
};

const pair = (stage: Child, pid: number, end: () => Promise<void>): Pair => ({
  answer: async (order) => {
    const before = await usedBy(pid);
    stage.write(`${JSON.stringify(order)}\n`);
    const told = outcome.parse(JSON.parse(await stage.line()));
    return { ...told, processor: ((await usedBy(pid)) - before) / order.count };
  },
  [Symbol.asyncDispose]: async () => {
    await end();
    await stage.end();
  },
});

const usedBy = async (pid: number): Promise<number> => {
  const all = await Promise.all([pid, ...(await descendantsOf(pid))].map(processorTime));
  return all.reduce((sum, one) => sum + one, 0);
};
