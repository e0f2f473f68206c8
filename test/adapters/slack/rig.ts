/**
 * One process of the host with its Slack surface, composed as `npm start` does it, on the wire-level Slack: real Bolt,
 * store, inbox, manners, runtime and deliverer. The model and the tools answer as the test says.
 */

import { onTestFinished, vi } from "vitest";
import { createSlack, type SlackSurface } from "../../../src/slack.ts";
import { readConfig } from "../../../src/config.ts";
import type { PromptMessage } from "../../../src/core/prompt.ts";
import { createBot, type RunningBot } from "../../../src/runtime/bot.ts";
import type { Clock, Log, Model, ModelOutcome, Repo } from "../../../src/runtime/ports.ts";
import type { ChatStore } from "../../../src/runtime/ports-chat.ts";
import type { Pictures } from "../../../src/runtime/ports-pictures.ts";
import type { Ledger } from "../../../src/runtime/ports-surface.ts";
import type { Tools } from "../../../src/runtime/ports-tools.ts";
import { createSlots } from "../../../src/runtime/slots.ts";
import { openMemory, type Opened } from "../../../src/store/sqlite.ts";
import { systemClock } from "../../../src/system-clock.ts";
import { randomId } from "../../../src/random-id.ts";
import { SCOPES, slackManifest } from "../../../adapters/slack/manifest.ts";
import { createFakeSlack, type FakeSlack, type FakeSlackOptions } from "../../fakes/slack/fake.ts";
import { testModes } from "../../runtime/modes.ts";
import { textAnswer, toolResult } from "../../runtime/world.ts";

export interface SlackRig {
  readonly fake: FakeSlack;
  readonly bot: RunningBot;
  readonly slack: SlackSurface;
  readonly ledger: Ledger;
  readonly chat: ChatStore;
  /** What the model was asked, each as the text of its messages. */
  readonly asked: readonly (readonly PromptMessage[])[];
  readonly logged: readonly string[];
  /** Waits until the thread reads as wanted; answers how it reads. */
  thread(root: { readonly channel: string; readonly ts: string }, wanted: RegExp): Promise<string>;
  /** A new process on the same database and workspace. */
  restart(): Promise<SlackRig>;
  close(): Promise<void>;
}

export interface RigOptions {
  readonly fake?: FakeSlackOptions;
  readonly env?: Readonly<Record<string, string>>;
  /** What the model answers; unset: `Answer N.` */
  readonly answer?: (
    messages: readonly PromptMessage[],
    no: number,
    signal: AbortSignal,
  ) => ModelOutcome | Promise<ModelOutcome>;
  readonly tools?: Partial<Tools>;
  /** Channels that work on acme/api already. */
  readonly bound?: readonly string[];
  readonly pictures?: Pictures["decode"];
  /** Another process on a workspace that is there. */
  readonly on?: FakeSlack;
  readonly clock?: Clock;
  /** Before the process starts. */
  readonly prepare?: (parts: { readonly fake: FakeSlack; readonly chat: ChatStore }) => Promise<void>;
  /** The rows of chat as the disk lets them be written. */
  readonly disk?: (chat: ChatStore) => ChatStore;
}

export const REPO: Repo = { kind: "url", location: "https://github.com/acme/api.git" };

/** The app as the manifest makes it: nothing works here that it does not ask for. */
const asManifested = {
  scopes: Object.keys(SCOPES),
  events: slackManifest(null).settings.event_subscriptions.bot_events,
};

export const createRig = async (options: RigOptions = {}): Promise<SlackRig> => {
  const fake = options.on ?? (await createFakeSlack({ rates: "off", ...asManifested, ...options.fake }));
  if (options.on === undefined) onTestFinished(() => fake.close());
  const opened = openMemory();
  for (const name of options.bound ?? ["CGENERAL"]) {
    await opened.chat.bind("slack", name, { repo: REPO, by: "slack:UALICE", at: 1 });
  }
  await options.prepare?.({ fake, chat: opened.chat });
  return boot(fake, opened, options);
};

const boot = async (fake: FakeSlack, opened: Opened, options: RigOptions): Promise<SlackRig> => {
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
  const slack = await createSlack(configOf(fake, options.env ?? {}), {
    ...opened,
    chat: options.disk?.(opened.chat) ?? opened.chat,
    clock: options.clock ?? systemClock,
    log,
    blobs,
    pictures,
    modes: testModes,
    covers: "Tools may write.",
  });
  if (slack === null) throw new Error("Slack is off");
  const bot = createBot({
    store: opened.store,
    clock: systemClock,
    log,
    randomId,
    boot: randomId(),
    confinement: "enforced",
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
    watch: slack.heard,
  });
  await bot.recover();
  await slack.start(bot);
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await slack.leave();
    await bot.close();
    await slack.close();
  };
  onTestFinished(close);
  return {
    fake,
    bot,
    slack,
    ledger: opened.ledger,
    chat: opened.chat,
    asked,
    logged,
    close,
    restart: async () => {
      await close();
      return boot(fake, opened, options);
    },
    thread: ({ channel, ts }, wanted) =>
      vi.waitFor(
        () => {
          const text = plainly(fake.threadAsText(channel, ts));
          if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}\n${logged.join("\n")}`);
          return text;
        },
        { timeout: 15_000, interval: 20 },
      ),
  };
};

const configOf = (fake: FakeSlack, env: Readonly<Record<string, string>>) => {
  const read = readConfig(
    {
      SLACK_BOT_TOKEN: fake.botToken,
      SLACK_APP_TOKEN: fake.appToken,
      SLACK_API_URL: fake.apiUrl,
      PARLEY_MODEL: "demo",
      PARLEY_REPOS: "acme/api,acme/web",
      ...env,
    },
    "/nonexistent",
  );
  if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
  return read.config;
};

/** Without what differs from run to run. */
const plainly = (text: string): string => text.replaceAll(/\d+\.\d s\b/g, "N s");

/** Everything a request told the model, as one text. */
export const told = (messages: readonly PromptMessage[] | undefined): string =>
  (messages ?? [])
    .flatMap(({ content }) => content)
    .map((block) => (block.kind === "text" ? block.text : `[${block.kind}]`))
    .join("\n");
