/**
 * One process of the host with its Discord surface, composed as `npm start` does it, on the wire-level Discord: the real discord.js,
 * store, inbox, manners, runtime and deliverer. The model and the tools answer as the test says.
 */

import { onTestFinished, vi } from "vitest";
import type { Answers } from "../../../src/ports/answers.ts";
import type { FeedbackRows } from "../../../src/ports/feedback.ts";
import type { ChatStore } from "../../../src/ports/chat-rows.ts";
import type { ChatSurface } from "../../../src/ports/connection.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { SpendingStore } from "../../../src/ports/money.ts";
import type { Store } from "../../../src/ports/store.ts";
import type { Ledger } from "../../../src/ports/surface.ts";
import type { RunningBot } from "../../../src/runtime/bot/bot.ts";
import type { StorePorts } from "../../../src/store/write/grouped.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { createFakeDiscord, type FakeDiscord, type FakeDiscordOptions } from "../../fakes/discord/fake.ts";
import { type Host, type HostOptions, OFTEN, REPO, startHost } from "../rig.ts";
import { openMemory } from "../../store/in-memory.ts";

export interface DiscordRig extends Pick<Host, "ports" | "alerted"> {
  readonly opened: StorePorts;
  readonly fake: FakeDiscord;
  readonly bot: RunningBot;
  readonly discord: ChatSurface;
  readonly ledger: Ledger;
  readonly chat: ChatStore;
  readonly purse: SpendingStore;
  readonly feedback: FeedbackRows;
  readonly store: Store;
  readonly answers: Answers;
  /** What the model was asked, each as the text of its messages. */
  readonly asked: readonly (readonly PromptMessage[])[];
  readonly logged: readonly string[];
  /** Waits until the channel or thread reads as wanted; answers how it reads. */
  reads(channel: string, wanted: RegExp): Promise<string>;
  /** Runs a slash command as soon as the host has registered it; answers with what that person is told in the end. */
  run(person: string, ...command: Parameters<ReturnType<FakeDiscord["as"]>["command"]>): Promise<string>;
  /** A new process on the same database and workspace. */
  restart(
    changes?: Pick<RigOptions, "offer" | "threads" | "store" | "clock" | "opened" | "envOf">,
  ): Promise<DiscordRig>;
  /** Starts a process after a dead one, whose calls no longer reach the platform. */
  replace(changes: Pick<RigOptions, "opened" | "env">): Promise<DiscordRig>;
  close(): Promise<void>;
}

export interface RigOptions extends HostOptions {
  readonly clock?: Clock;
  /** Another database than one in memory. */
  readonly opened?: StorePorts;
  readonly fake?: FakeDiscordOptions;
  /** An existing stand-in for this process; unset: a new one. */
  readonly on?: FakeDiscord;
  /** Settings that name what is on the fake. */
  readonly envOf?: (fake: FakeDiscord) => Readonly<Record<string, string>>;
  /** Channels that work on acme/api already. */
  readonly bound?: readonly string[];
  /** The rows of chat as the disk lets them be written. */
  readonly disk?: (chat: ChatStore) => ChatStore;
}

export const createRig = async (options: RigOptions = {}): Promise<DiscordRig> => {
  const fake =
    options.on ??
    (await createFakeDiscord({
      rates: "off",
      ...options.fake,
      times: { identifyWindowMs: 0, ...options.fake?.times },
    }));
  if (options.on === undefined) onTestFinished(() => fake.close());
  const opened = options.opened ?? openMemory();
  for (const name of options.bound ?? ["general", "help"]) {
    const { id } = fake.world.channelNamed(name);
    await opened.chat.bind("discord", id, { repo: options.repo ?? REPO, by: "discord:1", at: 1 });
  }
  return boot(fake, opened, options);
};

const boot = async (fake: FakeDiscord, opened: StorePorts, options: RigOptions): Promise<DiscordRig> => {
  const env = {
    DISCORD_TOKEN: fake.token,
    DISCORD_API_URL: fake.apiUrl,
    ...options.env,
    ...options.envOf?.(fake),
  };
  const host = await startHost("discord", opened, options, {
    env,
    ...(options.disk === undefined ? {} : { chat: options.disk(opened.chat) }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
  const { bot, surface: discord, ports, alerted, asked, logged, close } = host;
  return {
    ports,
    alerted,
    opened,
    fake,
    bot,
    discord,
    ledger: opened.ledger,
    chat: opened.chat,
    purse: opened.purse,
    feedback: opened.feedback,
    store: opened.store,
    answers: opened.answers,
    asked,
    logged,
    close,
    replace: (changes) => {
      void close();
      return boot(fake, changes.opened ?? opened, { ...options, ...changes });
    },
    restart: async (changes = {}) => {
      await close();
      return boot(fake, changes.opened ?? opened, { ...options, ...changes });
    },
    run: async (person, ...command) => {
      const as = fake.as(person);
      const { told } = await vi.waitFor(() => as.command(...command), OFTEN);
      return told;
    },
    reads: (channel, wanted) =>
      vi.waitFor(() => {
        const text = isThere(fake, channel) ? fake.asText(channel) : "";
        if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}\n${logged.join("\n")}`);
        return text;
      }, OFTEN),
  };
};

/** A thread comes after its message. */
const isThere = (fake: FakeDiscord, channel: string): boolean =>
  fake.world.channels.has(channel) ||
  [...fake.world.channels.values()].some(({ id, name }) => id === channel || name === channel);
