/**
 * The way in: who the bot is, asked until Slack says it; then listening. What is wrong is said in the log and tried
 * again. Where Slack answers and still no event can arrive for ten minutes, only a new process can help.
 */

import type { Identified } from "../../../adapters/slack/listen/identify.ts";
import type { Identity } from "../../../adapters/slack/listen/identity.ts";
import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Bot, Change } from "../../ports/bot.ts";
import type { Clock, Log } from "../../ports/host.ts";
import type { Listening } from "./slack-listen.ts";
import type { TokenWatch } from "./slack-token.ts";

const DEAF_FOR: Millis = 10 * 60_000;
const AGAIN: Millis = 10_000;

export interface EntryDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly identify: () => Promise<Identified>;
  readonly token: Pick<TokenWatch, "trouble" | "usable">;
  /** Called once; `changed` as `Listening` tells it. */
  readonly listen: (
    bot: Bot,
    self: Identity,
    changed: (open: number, refusal: string | null) => void,
  ) => Promise<Listening>;
}

export interface Entry {
  /** For people: `on`, or what is missing. */
  standing(): string;
  /** Settles, with the reason, when only a new process can help. */
  readonly failed: Promise<string>;
  /** Every change of every conversation, after its commit. */
  heard(id: ConversationId, change: Change): void;
  /** Settles when Slack is connected or the first try has failed; trying goes on. */
  enter(bot: Bot): Promise<void>;
  leave(): Promise<void>;
  /** Reads what may have been missed. */
  catchUp(): void;
}

export const createEntry = ({ clock, log, identify, token, listen }: EntryDeps): Entry => {
  const failed = Promise.withResolvers<string>();
  let standing = "connecting";
  let closing = false;
  let listening: Listening | null = null;
  let cancelRetry: (() => void) | null = null;
  let cancelWatch: (() => void) | null = null;

  const enter = async (bot: Bot): Promise<void> => {
    const identified = await identify();
    if (closing) return;
    if (identified.kind === "identity") {
      listening = await listen(bot, identified.self, changed);
      await listening.start();
      return;
    }
    standing = `off: ${identified.why}`;
    if (identified.kind === "refused") return void enterLater(bot);
    log.warn("Slack does not say who the bot is; it is tried again", { why: identified.why });
    cancelRetry = clock.after(AGAIN, () => void enter(bot));
  };

  const enterLater = async (bot: Bot): Promise<void> => {
    if (await token.usable()) await enter(bot);
  };

  const changed = (open: number, refusal: string | null): void => {
    standing = open > 0 ? "on" : refusal === null ? "connecting" : `off: ${refusal}`;
    if (open === 0 && refusal === null) watch();
    else unwatch();
  };

  const unwatch = (): void => {
    cancelWatch?.();
    cancelWatch = null;
  };

  /** Slack answers, its token is good, and still no event can arrive: that is this process. */
  const watch = (): void => {
    cancelWatch ??= clock.after(DEAF_FOR, () => {
      cancelWatch = null;
      void judge();
    });
  };

  const judge = async (): Promise<void> => {
    const identified = await identify();
    if (standing !== "connecting" || closing) return;
    if (identified.kind === "identity")
      failed.resolve("no connection to Slack for ten minutes, though it answers");
    else watch();
  };

  return {
    standing: () => token.trouble() ?? standing,
    failed: failed.promise,
    heard: (id, change) => listening?.heard(id, change),
    enter,
    catchUp: () => listening?.catchUp(),
    leave: async () => {
      closing = true;
      cancelRetry?.();
      unwatch();
      await listening?.stop();
    },
  };
};
