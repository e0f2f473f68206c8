import { webApi } from "@slack/bolt";
import type { ChannelName, ReadName } from "../../../src/ports/channels.ts";
import { readSlackChannel } from "./channels.ts";
import { createSlackPeople, slackUnreadOf } from "./people.ts";

export const createReadSlackName = (client: webApi.WebClient): ReadName => {
  // Only the names of people are read here, so their organization does not matter.
  const people = createSlackPeople(client, { team: "", enterprise: null });
  return async (place) => {
    try {
      const channel = await readSlackChannel(client, place);
      const note = channel.is_archived ? "archived" : null;
      if (channel.user !== undefined && channel.is_im)
        return { kind: "named", name: await people.label(channel.user), note: "direct messages" };
      if (channel.is_mpim && channel.name !== undefined)
        return { kind: "named", name: membersIn(channel.name), note: "group direct messages" };
      return channel.name === undefined ? NAMELESS : { kind: "named", name: `#${channel.name}`, note };
    } catch (error) {
      return isNotThere(error) ? GONE : { kind: "unread", why: slackUnreadOf(error).why };
    }
  };
};

/** Returns the members in a name such as `mpdm-alice--bob-1`. */
const membersIn = (name: string): string =>
  name
    .replace(/^mpdm-/, "")
    .replace(/-\d+$/, "")
    .split("--")
    .join(", ");

const isNotThere = (error: unknown): boolean =>
  error instanceof webApi.WebAPIPlatformError && error.data.error === "channel_not_found";

/** Slack returns the same error for a private channel without the app. */
const GONE: ChannelName = {
  kind: "gone",
  why: "The channel no longer exists on Slack, or the channel is private and Parley is not a member.",
};
const NAMELESS: ChannelName = { kind: "unread", why: "Slack returned no name" };
