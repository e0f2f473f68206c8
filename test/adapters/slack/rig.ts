/**
 * One process of the host with its Slack surface, composed as `npm start` does it, on the wire-level Slack: real Bolt,
 * store, inbox, manners, runtime and deliverer. The model and the tools answer as the test says.
 */

import { onTestFinished, vi } from "vitest";
import { SCOPES, slackManifest } from "../../../adapters/slack/receive/manifest.ts";
import { slackLimits } from "../../../adapters/slack/write/surface.ts";
import type { Answers } from "../../../src/ports/answers.ts";
import type { FeedbackRows } from "../../../src/ports/feedback.ts";
import type { ChatStore } from "../../../src/ports/chat-rows.ts";
import type { ChatSurface } from "../../../src/ports/connection.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { SpendingStore } from "../../../src/ports/money.ts";
import type { Store } from "../../../src/ports/store.ts";
import type { Ledger, Limits } from "../../../src/ports/surface.ts";
import type { RunningBot } from "../../../src/runtime/bot/bot.ts";
import type { StorePorts } from "../../../src/store/write/grouped.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { createFakeSlack, type FakeSlack, type FakeSlackOptions } from "../../fakes/slack/fake.ts";
import { type Host, type HostOptions, OFTEN, REPO, startHost } from "../rig.ts";
import { openMemory } from "../../store/in-memory.ts";

export interface SlackRig extends Pick<Host, "ports" | "alerted" | "besides"> {
  readonly opened: StorePorts;
  readonly fake: FakeSlack;
  readonly bot: RunningBot;
  readonly slack: ChatSurface;
  readonly ledger: Ledger;
  readonly store: Store;
  readonly answers: Answers;
  readonly chat: ChatStore;
  readonly purse: SpendingStore;
  readonly feedback: FeedbackRows;
  /** What the model was asked, each as the text of its messages. */
  readonly asked: readonly (readonly PromptMessage[])[];
  readonly logged: readonly string[];
  /** Waits until the thread reads as wanted; answers how it reads. */
  thread(root: { readonly channel: string; readonly ts: string }, wanted: RegExp): Promise<string>;
  /** A new process on the same database and workspace. */
  restart(changes?: Pick<RigOptions, "offer" | "threads" | "store">): Promise<SlackRig>;
  /** Starts a process after a dead one, whose calls no longer reach the platform. */
  replace(changes: Pick<RigOptions, "opened" | "env">): Promise<SlackRig>;
  close(): Promise<void>;
}

export interface RigOptions extends HostOptions {
  readonly fake?: FakeSlackOptions;
  /** Channels that work on acme/api already. */
  readonly bound?: readonly string[];
  /** Another process on a workspace that is there. */
  readonly on?: FakeSlack;
  readonly clock?: Clock;
  /** At the pace that Slack likes; unset: a quick one. */
  readonly isPaced?: true;
  /** Another database than one in memory. */
  readonly opened?: StorePorts;
  /** Before the process starts. */
  readonly prepare?: (parts: { readonly fake: FakeSlack; readonly chat: ChatStore }) => Promise<void>;
  /** The rows of chat as the disk lets them be written. */
  readonly disk?: (chat: ChatStore) => ChatStore;
}

/** The app as the manifest makes it: nothing works here that it does not ask for. */
const asManifested = {
  scopes: Object.keys(SCOPES),
  events: slackManifest(null).settings.event_subscriptions.bot_events,
};

export const createRig = async (options: RigOptions = {}): Promise<SlackRig> => {
  const fake = options.on ?? (await createFakeSlack({ rates: "off", ...asManifested, ...options.fake }));
  if (options.on === undefined) onTestFinished(() => fake.close());
  const opened = options.opened ?? openMemory();
  for (const name of options.bound ?? ["CGENERAL"]) {
    await opened.chat.bind("slack", name, { repo: options.repo ?? REPO, by: "slack:UALICE", at: 1 });
  }
  await options.prepare?.({ fake, chat: opened.chat });
  return boot(fake, opened, options);
};

const boot = async (fake: FakeSlack, opened: StorePorts, options: RigOptions): Promise<SlackRig> => {
  const env = {
    SLACK_BOT_TOKEN: fake.botToken,
    SLACK_APP_TOKEN: fake.appToken,
    SLACK_API_URL: fake.apiUrl,
    ...options.env,
  };
  const host = await startHost("slack", opened, options, {
    env,
    limits: options.isPaced === true ? {} : QUICK,
    ...(options.disk === undefined ? {} : { chat: options.disk(opened.chat) }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
  const { bot, surface: slack, ports, alerted, asked, logged, besides, close } = host;
  return {
    ports,
    opened,
    alerted,
    besides,
    fake,
    bot,
    slack,
    ledger: opened.ledger,
    store: opened.store,
    answers: opened.answers,
    chat: opened.chat,
    purse: opened.purse,
    feedback: opened.feedback,
    asked,
    logged,
    close,
    replace: (changes) => {
      void close();
      return boot(fake, changes.opened ?? opened, { ...options, ...changes });
    },
    restart: async (changes = {}) => {
      await close();
      return boot(fake, opened, { ...options, ...changes });
    },
    thread: ({ channel, ts }, wanted) =>
      vi.waitFor(() => {
        const text = plainly(fake.threadAsText(channel, ts));
        if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}\n${logged.join("\n")}`);
        return text;
      }, OFTEN),
  };
};

/** Slack's pace made quick: the fake Slack does not mind, and nobody has to wait. */
const QUICK: Partial<Limits> = {
  budgetOf: (...given) => {
    const { within: _, ...budget } = slackLimits.budgetOf(...given);
    return { ...budget, every: 20 };
  },
  editEvery: 50,
};

/** Without what differs from run to run. */
const plainly = (text: string): string => text.replaceAll(/\d+\.\d s\b/g, "N s");
// The first post may be there before its commit is known.
