/** What people call a channel of Slack. */

import { webApi } from "@slack/bolt";
import type { ChannelName, ReadName } from "../../../src/ports/channels.ts";
import { readChannel } from "./channels.ts";
import { createPeople, unreadOf } from "./people.ts";

export const createReadName = (client: webApi.WebClient): ReadName => {
  // Names alone are read of people here, for which it does not matter where they are from.
  const people = createPeople(client, { team: "", enterprise: null });
  return async (place) => {
    try {
      const channel = await readChannel(client, place);
      const note = channel.is_archived ? "archived" : null;
      if (channel.user !== undefined && channel.is_im)
        return { kind: "named", name: await people.label(channel.user), note: "direct messages" };
      if (channel.is_mpim && channel.name !== undefined)
        return { kind: "named", name: membersIn(channel.name), note: "group direct messages" };
      return channel.name === undefined ? NAMELESS : { kind: "named", name: `#${channel.name}`, note };
    } catch (error) {
      return isNotThere(error) ? GONE : { kind: "unread", why: unreadOf(error).why };
    }
  };
};

/** `mpdm-alice--bob-1` */
const membersIn = (name: string): string =>
  name
    .replace(/^mpdm-/, "")
    .replace(/-\d+$/, "")
    .split("--")
    .join(", ");

const isNotThere = (error: unknown): boolean =>
  error instanceof webApi.WebAPIPlatformError && error.data.error === "channel_not_found";

/** Slack says the same of a private channel that the app is not in. */
const GONE: ChannelName = {
  kind: "gone",
  why: "The channel no longer exists on Slack, or it is private and Parley is not in it.",
};
const NAMELESS: ChannelName = { kind: "unread", why: "Slack returned no name" };
