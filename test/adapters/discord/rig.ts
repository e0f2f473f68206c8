/**
 * One process of the host with its Discord surface, composed as `npm start` does it, on the wire-level Discord: the real discord.js,
 * store, inbox, manners, runtime and deliverer. The model and the tools answer as the test says.
 */

import { onTestFinished, vi } from "vitest";
import { createDiscord, type DiscordSurface } from "../../../src/discord.ts";
import { readConfig } from "../../../src/config.ts";
import type { PromptMessage } from "../../../src/core/prompt.ts";
import { createBot, type RunningBot } from "../../../src/runtime/bot.ts";
import type { Log, Model, ModelOutcome, Repo } from "../../../src/runtime/ports.ts";
import type { ChatStore } from "../../../src/runtime/ports-chat.ts";
import type { Pictures } from "../../../src/runtime/ports-pictures.ts";
import type { Ledger } from "../../../src/runtime/ports-surface.ts";
import type { Tools } from "../../../src/runtime/ports-tools.ts";
import { createSlots } from "../../../src/runtime/slots.ts";
import { openMemory, type Opened } from "../../../src/store/sqlite.ts";
import { systemClock } from "../../../src/system-clock.ts";
import { randomId } from "../../../src/random-id.ts";
import { createFakeDiscord, type FakeDiscord, type FakeDiscordOptions } from "../../fakes/discord/fake.ts";
import { testModes } from "../../runtime/modes.ts";
import { textAnswer, toolResult } from "../../runtime/world.ts";

export interface DiscordRig {
  readonly fake: FakeDiscord;
  readonly bot: RunningBot;
  readonly discord: DiscordSurface;
  readonly ledger: Ledger;
  readonly chat: ChatStore;
  /** What the model was asked, each as the text of its messages. */
  readonly asked: readonly (readonly PromptMessage[])[];
  readonly logged: readonly string[];
  /** Waits until the channel or thread reads as wanted; answers how it reads. */
  reads(channel: string, wanted: RegExp): Promise<string>;
  /** A new process on the same database and workspace. */
  restart(): Promise<DiscordRig>;
  close(): Promise<void>;
}

export interface RigOptions {
  readonly fake?: FakeDiscordOptions;
  readonly env?: Readonly<Record<string, string>>;
  /** What the model answers; unset: `Answer N.` */
  readonly answer?: (
    messages: readonly PromptMessage[],
    no: number,
    signal: AbortSignal,
  ) => ModelOutcome | Promise<ModelOutcome>;
  readonly tools?: Partial<Tools>;
  readonly confinement?: "enforced" | "unavailable";
  /** Channels that work on acme/api already. */
  readonly bound?: readonly string[];
  readonly pictures?: Pictures["decode"];
}

export const REPO: Repo = { kind: "url", location: "https://github.com/acme/api.git" };

export const createRig = async (options: RigOptions = {}): Promise<DiscordRig> => {
  const fake = await createFakeDiscord({
    rates: "off",
    ...options.fake,
    times: { identifyWindowMs: 0, ...options.fake?.times },
  });
  onTestFinished(() => fake.close());
  const opened = openMemory();
  for (const name of options.bound ?? ["general", "help"]) {
    const { id } = fake.world.channelNamed(name);
    await opened.chat.bind("discord", id, { repo: REPO, by: "discord:1", at: 1 });
  }
  return boot(fake, opened, options);
};

const boot = async (fake: FakeDiscord, opened: Opened, options: RigOptions): Promise<DiscordRig> => {
  const logged: string[] = [];
  const note = (level: string) => (message: string, fields: object | undefined) =>
    void logged.push(`${level} ${message}${fields === undefined ? "" : ` ${JSON.stringify(fields)}`}`);
  const log: Log = { info: note("info"), warn: note("warn"), error: note("error") };
  const asked: (readonly PromptMessage[])[] = [];
  const answer = options.answer ?? ((_messages, no) => textAnswer(`Answer ${no}.`));
  const model: Model = {
    window: () => 200_000,
    respond: async ({ messages }, { signal }) => {
      asked.push(messages);
      const answered = await answer(messages, asked.length, signal);
      return signal.aborted ? { kind: "aborted" } : answered;
    },
  };
  const tools: Tools = {
    specs: [],
    intent: (name) => ({ intent: name === "request_mode_upgrade" ? "upgrade" : "tool" }),
    dangers: () => Promise.resolve([]),
    run: () => Promise.resolve(toolResult("done")),
    stopBackground: () => Promise.resolve(),
    ...options.tools,
  };
  const blobs = {
    put: () => Promise.resolve({ kind: "stored", hash: "h" } as const),
    get: () => Promise.resolve(null),
  };
  const pictures: Pictures = {
    decode:
      options.pictures ??
      ((_conversation, bytes) =>
        Promise.resolve({
          kind: "picture",
          bytes: Buffer.from(bytes),
          mediaType: "image/png",
          width: 1,
          height: 1,
        })),
  };
  const discord = await createDiscord(configOf(fake, options.env ?? {}), {
    ...opened,
    clock: systemClock,
    log,
    blobs,
    pictures,
    modes: testModes,
  });
  if (discord === null) throw new Error("Discord is off");
  const bot = createBot({
    store: opened.store,
    clock: systemClock,
    log,
    randomId,
    boot: randomId(),
    confinement: options.confinement ?? "enforced",
    system: "system",
    modelName: "test",
    modes: testModes,
    safeMode: true,
    model,
    tools,
    workspaces: {
      open: ({ base }) =>
        Promise.resolve({
          kind: "ready",
          base: base ?? { commit: "abc1234567", ref: "main", cwd: "/work" },
        }),
    },
    modelSlots: createSlots(8),
    toolSlots: createSlots(8),
    watch: discord.heard,
  });
  await bot.recover();
  await discord.start(bot);
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await discord.leave();
    await bot.close();
    await discord.close();
  };
  onTestFinished(close);
  return {
    fake,
    bot,
    discord,
    ledger: opened.ledger,
    chat: opened.chat,
    asked,
    logged,
    close,
    restart: async () => {
      await close();
      return boot(fake, opened, options);
    },
    reads: (channel, wanted) =>
      vi.waitFor(
        () => {
          const text = isThere(fake, channel) ? fake.asText(channel) : "";
          if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}\n${logged.join("\n")}`);
          return text;
        },
        { timeout: 15_000, interval: 20 },
      ),
  };
};

/** A thread comes after its message. */
const isThere = (fake: FakeDiscord, channel: string): boolean =>
  fake.world.channels.has(channel) ||
  [...fake.world.channels.values()].some(({ id, name }) => id === channel || name === channel);

const configOf = (fake: FakeDiscord, env: Readonly<Record<string, string>>) => {
  const read = readConfig(
    {
      DISCORD_TOKEN: fake.token,
      DISCORD_API_URL: fake.apiUrl,
      PARLEY_MODEL: "demo",
      PARLEY_REPOS: "acme/api,acme/web",
      ...env,
    },
    "/nonexistent",
  );
  if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
  return read.config;
};

/** Everything a request told the model, as one text. */
export const told = (messages: readonly PromptMessage[] | undefined): string =>
  (messages ?? [])
    .flatMap(({ content }) => content)
    .map((block) => (block.kind === "text" ? block.text : `[${block.kind}]`))
    .join("\n");
