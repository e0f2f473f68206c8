/** Another app of the workspace and what it posts, with its own bot and its own id. */

import type { Slack } from "../slack.ts";
import { type Json, team } from "../world.ts";
import type { Address } from "./human.ts";
import { post } from "./acts.ts";

export interface AppPost {
  readonly channel?: string;
  readonly thread?: string;
  /** The name of the person with whose token the app posts; unset: the app's own. */
  readonly as?: string;
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
  const user = `U0${name.toUpperCase()}`;
  slack.world.users.set(user, { id: user, name, role: "bot", team: team.id });
  return {
    bot,
    id: `A${bot.slice(1)}`,
    post: ({ channel = "general", thread, as: person, text = "", ...given }) => {
      const { id } = slack.world.channelNamed(channel);
      const message = post(slack, {
        channel: id,
        user: person === undefined ? user : slack.world.userNamed(person).id,
        botId: bot,
        text,
        ...given,
        ...(thread === undefined ? {} : { threadTs: thread }),
      });
      return { channel: id, ts: message.ts };
    },
  };
};
