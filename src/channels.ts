/** Chat channels as the console shows them: their settings, over the rows of the store and what the operator allows, and their names. */

import type { ChatSurface } from "./chat-surface.ts";
import type { Config } from "./config.ts";
import { createChannelBook } from "./runtime/channel-book.ts";
import { createChannelNames } from "./runtime/channel-names.ts";
import { createRepos } from "./runtime/chat/repos.ts";
import type { ChannelBook, ChannelNames } from "./runtime/ports-channels.ts";
import type { ChatStore } from "./runtime/ports-chat.ts";
import type { BudgetBook } from "./runtime/ports-money.ts";
import type { Modes } from "./runtime/ports-tools.ts";
import { systemClock } from "./system-clock.ts";

export const channelsOf = (
  config: Config,
  { chat, budgets, modes }: { readonly chat: ChatStore; readonly budgets: BudgetBook; readonly modes: Modes },
): ChannelBook =>
  createChannelBook({
    chat,
    budgets,
    modes: modes.all,
    repos: createRepos(config.PARLEY_REPOS),
    clock: systemClock,
  });

/** Surfaces that configuration leaves off are null. */
export const channelNamesOf = (
  surfaces: Readonly<Record<string, Pick<ChatSurface, "called"> | null>>,
): ChannelNames =>
  createChannelNames({ reads: (surface) => surfaces[surface]?.called ?? null, clock: systemClock });
