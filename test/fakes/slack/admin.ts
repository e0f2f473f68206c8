/** What the people who run the workspace do. */

import { join, post, remove } from "./people/acts.ts";
import type { Slack } from "./slack.ts";
import { app, type Role } from "./world.ts";

export interface Admin {
  archive(channel: string): void;
  unarchive(channel: string): void;
  /** Lets the app into a channel, with the system message of it. */
  invite(channel: string): void;
  /** Takes the app out of a channel. */
  expel(channel: string): void;
  setRole(user: string, role: Role): void;
  /** Deletes anybody's message, the app's own included. */
  moderate(message: { readonly channel: string; readonly ts: string }): void;
}

export const createAdmin = (slack: Slack): Admin => {
  const { world } = slack;
  const setArchived = (name: string, isArchived: boolean): void => {
    const channel = world.channelNamed(name);
    world.channels.set(channel.id, { ...channel, isArchived });
  };
  return {
    archive: (channel) => setArchived(channel, true),
    unarchive: (channel) => setArchived(channel, false),
    invite: (name) => {
      const channel = world.channelNamed(name);
      const inviter = [...channel.members].find((id) => id !== app.user) ?? app.user;
      join(slack, channel, inviter);
      post(slack, {
        channel: channel.id,
        user: app.user,
        text: `<@${app.user}> has joined the channel`,
        subtype: "channel_join",
        inviter,
      });
    },
    expel: (name) => {
      const channel = world.channelNamed(name);
      world.channels.set(channel.id, {
        ...channel,
        members: new Set([...channel.members].filter((id) => id !== app.user)),
      });
    },
    setRole: (name, role) => {
      const user = world.userNamed(name);
      world.users.set(user.id, { ...user, role });
    },
    moderate: ({ channel, ts }) => {
      const message = world.message(channel, ts);
      if (message === undefined) {
        throw new Error(`no message ${ts} in ${channel}`);
      }
      remove(slack, message);
    },
  };
};
