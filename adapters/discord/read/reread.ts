/** What somebody said, as it reads now: for what has waited since. */

import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import { type Ears, saidOf } from "../receive/inbound.ts";
import type { Calls } from "../write/api.ts";
import { discordMessage } from "./message.ts";

/** `guild`: null in direct messages. What Discord answers does not say. */
export const createReread =
  (calls: Calls, ears: Pick<Ears, "names" | "isForum" | "answers">) =>
  (guild: string | null): ChatPlatform["reread"] =>
  async ({ place, root }, id) => {
    const begins = guild !== null && root === id;
    const channel = begins ? place : root;
    const answer = await calls.call("GET", `/channels/${channel}/messages/${id}`).catch(() => null);
    const read = discordMessage.safeParse(answer);
    if (!read.success) return null;
    const message = guild === null ? read.data : { ...read.data, guild_id: guild };
    return saidOf(message, { place, root: begins ? null : root }, ears);
  };
