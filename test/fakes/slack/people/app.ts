/** Another app of the workspace and what it posts, with its own bot and its own id. */

import type { Slack } from "../slack.ts";
import type { Json } from "../world.ts";
import type { Address } from "./human.ts";
import { post } from "./acts.ts";

export interface AppPost {
  readonly channel?: string;
  readonly thread?: string;
  readonly text?: string;
  readonly blocks?: readonly Json[];
  readonly attachments?: readonly Json[];
}

export interface OtherApp {
  /** `B…`. */
  readonly bot: string;
  /** `A…`. */
  readonly id: string;
  post(given: AppPost): Address;
}

export const createApp = (slack: Slack, name: string): OtherApp => {
  const bot = `B0${name.toUpperCase()}`;
  return {
    bot,
    id: `A${bot.slice(1)}`,
    post: ({ channel = "general", thread, text = "", ...given }) => {
      const { id } = slack.world.channelNamed(channel);
      const message = post(slack, {
        channel: id,
        user: `U0${name.toUpperCase()}`,
        botId: bot,
        text,
        ...given,
        ...(thread === undefined ? {} : { threadTs: thread }),
      });
      return { channel: id, ts: message.ts };
    },
  };
};
