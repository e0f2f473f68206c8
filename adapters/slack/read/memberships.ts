/** Reads the channels of a person. Private channels and direct messages are listed if the bot is in them too. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Millis } from "../../../src/machine/id.ts";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { readAllPages } from "./pages.ts";
import { slackCourtesy } from "./people.ts";

const PEOPLE = 200;
/** A Home tab asks about several channels at once. */
const LASTS: Millis = 5_000;

interface Membership {
  readonly at: Millis;
  readonly channels: Promise<ReadonlySet<string> | null>;
}

export const createSlackMemberships = (
  client: Pick<webApi.WebClient, "paginate">,
  clock: Pick<Clock, "now">,
  log: Log,
): NonNullable<ChatPlatform["isIn"]> => {
  const known = createLruCache<Membership>(PEOPLE);
  const channelsOf = (user: string): Membership["channels"] => {
    const before = known.get(user);
    if (before !== undefined && clock.now() - before.at < LASTS) return before.channels;
    const channels = slackCourtesy(log, "slack: channels of a person not read", () => read(client, user));
    known.set(user, { at: clock.now(), channels });
    return channels;
  };
  return async (place, person) => (await channelsOf(person))?.has(place) ?? null;
};

const TYPES = "public_channel,private_channel,mpim,im";

/** Rejects as the client does. */
const read = async (
  client: Pick<webApi.WebClient, "paginate">,
  user: string,
): Promise<ReadonlySet<string>> => {
  const asked = { user, types: TYPES, exclude_archived: true };
  const { entries } = await readAllPages(
    client,
    "users.conversations",
    asked,
    (one) => page.parse(one).channels,
  );
  return new Set(entries.map(({ id }) => id));
};

const page = z.object({ channels: z.array(z.object({ id: z.string() })) });
