/** Who can read a channel, as somebody in a server asks: another server's channels are not told of. */

import * as z from "zod";
import type { Addresses } from "../../../src/ports/chat-platform.ts";
import type { Log } from "../../../src/ports/host.ts";
import type { Calls } from "../write/api.ts";
import { courtesy } from "./people.ts";
import { createReadThread } from "./thread-facts.ts";

export const createAudience = (calls: Calls, log: Log): ((guild: string | null) => Addresses["audience"]) => {
  const readThread = createReadThread(calls);
  return (guild) => (place) =>
    courtesy(log, "discord: who reads a channel could not be read", async () => {
      const { guild_id: own } = channel.parse(await calls.call("GET", `/channels/${place}`));
      return own === guild ? ((await readThread({ place, root: place }))?.audience ?? null) : null;
    });
};

const channel = z.object({ guild_id: z.string().optional() });
