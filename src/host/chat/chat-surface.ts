/** What the surfaces of chat platforms have in common where they are put together. */

import { quoteUntrusted, withoutQuotes } from "../../../adapters/text/text.ts";
import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Metrics } from "../../metrics/metrics.ts";
import type { Notes, Tell } from "../../ports/alerts.ts";
import type { Bot, Change } from "../../ports/bot.ts";
import type { ReadName } from "../../ports/channels.ts";
import type { Chat, ChatStore } from "../../ports/chat.ts";
import type { Clock, Log } from "../../ports/host.ts";
import type { Pictures } from "../../ports/pictures.ts";
import type { Requests } from "../../ports/questions.ts";
import type { Blobs, Store } from "../../ports/store.ts";
import type { Ledger, MaskFile } from "../../ports/surface.ts";
import type { NewThreads } from "../../ports/threads.ts";
import type { Modes } from "../../ports/tools.ts";
import { createChat } from "../../runtime/chat/chat.ts";
import { createRepos } from "../../runtime/chat/commands/repos.ts";
import { approversOf, type Policy } from "../../runtime/chat/commands/rights.ts";
import type { ChatDeps } from "../../runtime/chat/deps.ts";
import type { Deliverer } from "../../runtime/deliver/deliverer.ts";
import type { Budgets } from "../../runtime/money/budgets.ts";
import type { Config } from "../settings/config.ts";

/** Arrivals of one surface that are handled at the same time. */
export const AT_ONCE = 32;
const FIRST_TRY: Millis = 10_000;

export interface ChatParts {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly chat: ChatStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly blobs: Blobs;
  readonly maskFile: MaskFile;
  readonly pictures: Pictures;
  readonly modes: Modes;
  readonly metrics: Pick<Metrics, "surface">;
  readonly budgets: Budgets;
  readonly alerts: Notes;
  /** Pure code failed at a post. */
  readonly fault: (surface: string, conversation: ConversationId) => void;
}

export interface ChatSurface {
  /** For people: `on`, or what is missing. */
  standing(): string;
  /** Every change of every conversation, after its commit. */
  heard(id: ConversationId, change: Change): void;
  /** Threads that have lacked something for a minute. */
  readonly late: Deliverer["late"];
  /** For whoever looks after the host. */
  readonly tell: Tell;
  /** What people there call a channel. */
  readonly called: ReadName;
  /** For conversations that go on in a thread of their own. */
  readonly threads: NewThreads;
  /** Requests of people who may not have anything changed; absent where nobody asks so. */
  readonly weigh?: Requests["weigh"];
  /** Settles when the platform is connected, or the first try has failed or takes long; trying goes on. */
  start(bot: Bot): Promise<void>;
  /** Takes nothing more from the platform. */
  leave(): Promise<void>;
  /** Delivers what can still be delivered. After the bot has closed. */
  close(): Promise<void>;
}

/** Why no chat surface can be on, whatever its tokens: people there would talk to nobody. */
export const hasNoModel = (config: Config): string | null =>
  config.ANTHROPIC_API_KEY === undefined && config.PARLEY_MODEL !== "demo"
    ? "there is no model: set ANTHROPIC_API_KEY, or PARLEY_MODEL=demo for the scripted one"
    : null;

/** The start of the host waits for a first try this long and no longer. */
export const firstTry = async (clock: Clock, trying: Promise<unknown>): Promise<void> => {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(FIRST_TRY, resolve);
  await Promise.race([trying, late]);
  cancel();
};

export const policyOf = (config: Config, surface: string, drivers: Policy["drivers"]): Policy => ({
  surface,
  approvers: approversOf(surface, config.PARLEY_APPROVERS),
  twoPerson: config.PARLEY_TWO_PERSON,
  drivers,
});

/** The shared manners as the operator set them. */
export const createTalk = (
  config: Config,
  parts: ChatParts,
  {
    bot,
    drivers,
    ...own
  }: Pick<ChatDeps, "name" | "mention" | "bot" | "platform" | "places" | "rate" | "replies"> &
    Pick<Policy, "drivers">,
): Chat =>
  createChat({
    ...parts,
    ...own,
    bot,
    store: parts.chat,
    policy: policyOf(config, own.name, drivers),
    repos: createRepos(config.PARLEY_REPOS),
    modes: parts.modes.all,
    quote: quoteUntrusted,
    unquote: withoutQuotes,
  });
