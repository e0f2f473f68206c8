/** What the people who run the workspace do. */

import { join, post, remove, tell } from "./people/acts.ts";
import type { Slack } from "./slack.ts";
import { changedUserWire } from "./wire.ts";
import { app, type Role, team } from "./world.ts";

export interface Admin {
  archive(channel: string): void;
  unarchive(channel: string): void;
  /** Slack calls the channel by another id from now on, as after it was shared with another organization. */
  changeId(channel: string, id: string): void;
  rename(channel: string, name: string): void;
  /** Somebody creates a public channel, in which all people are but not the app. Slack tells every app. */
  create(name: string): void;
  /** Lets the app into a channel, with the system message of it. */
  invite(channel: string): void;
  /** Takes the app out of a channel. */
  expel(channel: string): void;
  /** Slack tells every app. */
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
    unarchive: (name) => {
      setArchived(name, false);
      const { id, kind } = world.channelNamed(name);
      const event = { channel: id, event_ts: world.nextTs() };
      const [user] = world.users.keys();
      if (kind === "group")
        tell(slack, id, "GroupUnarchiveEvent", () => ({ type: "group_unarchive", actor_id: user, ...event }));
      else tell(slack, id, "ChannelUnarchiveEvent", () => ({ type: "channel_unarchive", user, ...event }));
    },
    changeId: (name, id) => {
      const before = world.channelNamed(name);
      world.channels.delete(before.id);
      world.channels.set(id, { ...before, id });
      for (const message of world.messages(before.id)) {
        world.remove(message);
        world.put({ ...message, channel: id });
      }
      tell(slack, id, "ChannelIDChangedEvent", () => ({
        type: "channel_id_changed",
        old_channel_id: before.id,
        new_channel_id: id,
        event_ts: world.nextTs(),
      }));
    },
    rename: (name, to) => {
      const channel = world.channelNamed(name);
      world.channels.set(channel.id, { ...channel, name: to });
      const isGroup = channel.kind === "group";
      tell(slack, channel.id, isGroup ? "GroupRenameEvent" : "ChannelRenameEvent", () => ({
        type: isGroup ? "group_rename" : "channel_rename",
        channel: {
          id: channel.id,
          name: to,
          name_normalized: to,
          created: 0,
          is_channel: !isGroup,
          is_mpim: false,
        },
        event_ts: world.nextTs(),
      }));
    },
    create: (name) => {
      const people = [...world.users.values()].filter(({ role }) => role !== "bot").map(({ id }) => id);
      const id = `C${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "")}`;
      world.channels.set(id, { id, name, kind: "channel", members: new Set(people), isArchived: false });
      slack.emit("ChannelCreatedEvent", {
        type: "channel_created",
        channel: {
          id,
          name,
          name_normalized: name,
          created: 1,
          creator: people[0],
          context_team_id: team.id,
          is_archived: false,
          is_channel: true,
          is_ext_shared: false,
          is_frozen: false,
          is_general: false,
          is_group: false,
          is_im: false,
          is_mpim: false,
          is_org_shared: false,
          is_pending_ext_shared: false,
          is_private: false,
          is_shared: false,
        },
        event_ts: world.nextTs(),
      });
    },
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
      const user = { ...world.userNamed(name), role };
      world.users.set(user.id, user);
      slack.emit("UserChangeEvent", {
        type: "user_change",
        user: changedUserWire(user),
        cache_ts: 1,
        event_ts: world.nextTs(),
      });
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
