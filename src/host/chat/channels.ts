/** Chat channels as the console shows them: their settings, over the rows of the store and what the operator allows, and their names. */

import type { ChatSurface } from "./chat-surface.ts";
import type { Config } from "../settings/config.ts";
import { createChannelBook } from "../../runtime/bot/channel-book.ts";
import { createChannelNames } from "../../runtime/bot/channel-names.ts";
import { createRepos } from "../../runtime/chat/commands/repos.ts";
import type { ChannelBook, ChannelNames } from "../../ports/channels.ts";
import type { ChatStore } from "../../ports/chat.ts";
import type { BudgetBook } from "../../ports/money.ts";
import type { Modes } from "../../ports/tools.ts";
import { systemClock } from "../system-clock.ts";

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
