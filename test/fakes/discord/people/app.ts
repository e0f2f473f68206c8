/** Another app of the server, or a webhook, and what it posts. */

import type { Discord } from "../discord.ts";
import type { Json } from "../world.ts";
import type { Address } from "./human.ts";
import { post } from "./acts.ts";

export interface AppPost {
  readonly text?: string;
  readonly embeds?: readonly Json[];
  readonly components?: readonly Json[];
  readonly flags?: number;
  /** Parts of the message as Discord sends them: `poll`, `sticker_items`. */
  readonly parts?: Json;
}

export interface OtherApp {
  readonly id: string;
  post(channel: string, given: AppPost): Address;
}

/** Its user has the app's own id, as with all apps of late. */
export const createApp = (discord: Discord, name: string): OtherApp => {
  const { world } = discord;
  const known = [...world.users.values()].find((one) => one.name === name);
  const id = known?.id ?? world.nextId();
  world.users.set(id, { id, name, isBot: true });
  return {
    id,
    post: (where, { text = "", ...given }) => {
      const { id: channel } = world.channelNamed(where);
      return { channel, id: post(discord, { channel, author: id, content: text, ...given }).id };
    },
  };
};
