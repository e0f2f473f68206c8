/** What begins threads by itself: watches, their schedules and their book, over the platforms and the bot, which come later. */

import type { Bot } from "../ports/bot.ts";
import type { ChatStore } from "../ports/chat-rows.ts";
import type { ChatSurface } from "../ports/connection.ts";
import type { RandomId } from "../ports/host.ts";
import { type BudgetBook, renewal } from "../ports/money.ts";
import type { Modes } from "../ports/tools.ts";
import type { WatchRows } from "../ports/watch/rows.ts";
import { createRepos } from "../runtime/chat/commands/repos.ts";
import { speakerFor } from "../runtime/watch/begin.ts";
import { createWatchBook } from "../runtime/watch/book.ts";
import { createTicker } from "../runtime/watch/ticker.ts";
import { createWatcher, type WatcherDeps } from "../runtime/watch/watcher.ts";
import { watchEvent } from "../store/schema/watch.ts";
import { openInstants } from "./instants.ts";

interface WatchParts extends Pick<WatcherDeps, "ledger" | "models" | "clock" | "log" | "alert" | "bot"> {
  readonly watched: WatchRows;
  readonly chat: ChatStore;
  readonly budgets: BudgetBook;
  readonly modes: Modes;
  /** PARLEY_REPOS. */
  readonly repos: readonly string[];
  readonly randomId: RandomId;
  /** Asked once they are made. */
  readonly surfaces: () => readonly ChatSurface[];
}

export type Watching = ReturnType<typeof openWatches>;

export const openWatches = (parts: WatchParts) => {
  const { budgets, clock, log, modes, surfaces } = parts;
  const money: WatcherDeps["money"] = (id) => {
    const speaker = speakerFor({ id });
    const [own] = budgets.standings({ speaker, surface: "watch", place: null, server: null });
    return { most: own?.most ?? null, spent: own?.spent ?? 0, renewsAt: renewal(clock.now()) };
  };
  const watcher = createWatcher({
    ...parts,
    rows: parts.watched,
    store: parts.chat,
    repos: createRepos(parts.repos),
    modes: modes.all,
    money,
    parse: (body) => watchEvent.safeParse(body).data ?? null,
  });
  const ticker = createTicker({
    watcher,
    instants: openInstants,
    tell: async ({ surface, place }, line) =>
      (await surfaces()
        .find(({ name }) => name === surface)
        ?.tell(place, line)) ?? { kind: "refused", why: "its platform is off" },
    clock,
    log,
  });
  return {
    book: createWatchBook({
      ...parts,
      watcher,
      ticker,
      instants: openInstants,
      money,
      store: parts.chat,
      rows: parts.watched,
      modes: modes.all,
    }),
    watcher,
    heard: watcher.heard,
    renew: watcher.renew,
    start: () => {
      watcher.start();
      ticker.wake();
    },
    close: async () => {
      await ticker.close();
      await watcher.close();
    },
  };
};

/** Of a bot that is made after what it is told of. */
export const lateBot = (bot: () => Bot): WatcherDeps["bot"] => ({
  create: (...given) => bot().create(...given),
  say: (...given) => bot().say(...given),
  read: (...given) => bot().read(...given),
  act: (...given) => bot().act(...given),
});
