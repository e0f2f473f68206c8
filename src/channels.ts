/** The settings of chat channels, over the rows of the store and what the operator allows. */

import type { Config } from "./config.ts";
import { createChannelBook } from "./runtime/channel-book.ts";
import { createRepos } from "./runtime/chat/repos.ts";
import type { ChannelBook } from "./runtime/ports-channels.ts";
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
