/**
 * Checks before a paid model call whether the bot can open and write the thread for an answer (WD5). The
 * gateway's data and Discord's last refusal decide. Owns: servers that refused a thread within the last
 * minute.
 */

import { ChannelType, PermissionFlagsBits as Bits } from "discord-api-types/v10";
import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { spaced } from "./manifest.ts";
import { isFullOfThreads } from "../api/failure.ts";
import type { Channels } from "./channels.ts";
import type { Guilds } from "./guilds.ts";
import type { DiscordThreads } from "./threads.ts";

interface ReachDeps {
  readonly clock: Pick<Clock, "now">;
  readonly channels: Pick<Channels, "about" | "guildOf">;
  readonly guilds: Pick<Guilds, "permissions">;
  readonly threads: Pick<DiscordThreads, "isLocked">;
}

/** `root`: null if the thread must still be opened. */
interface Aim {
  readonly place: string;
  readonly root: string | null;
  readonly isPrivate: boolean;
}

export type ChannelReach = ReturnType<typeof createChannelReach>;

const THREADLESS: readonly number[] = [ChannelType.GuildVoice, ChannelType.GuildStageVoice];
/** Time for which a server that refused a thread counts as full. */
const FULL_FOR: Millis = 60_000;
const REMEMBERED = 1_000;

export const createChannelReach = ({ clock, channels, guilds, threads }: ReachDeps) => {
  const full = createLruCache<Millis>(REMEMBERED);

  const lacking = (overwrites: Parameters<Guilds["permissions"]>[1], aim: Aim): readonly string[] => {
    const held = guilds.permissions(channels.guildOf(aim.place), overwrites);
    if (held === null || (held & Bits.Administrator) !== 0n) return [];
    return neededFor(aim).filter((name) => (held & Bits[name]) === 0n);
  };

  return {
    /** Records that Discord refused a thread in the channel. */
    refused: (place: string, error: unknown): void => {
      if (isFullOfThreads(error)) full.set(channels.guildOf(place), clock.now());
    },
    /** Returns a sentence for the person; null if no known barrier prevents an answer. */
    barrier: (aim: Aim, say: Say): string | null => {
      const { place, root } = aim;
      if (root !== null && threads.isLocked(root)) {
        return say(
          "I did not start on your question: the thread is locked. Please ask me again in the channel.",
        );
      }
      const about = channels.about(place);
      if (about === null) return null;
      if (root === null && THREADLESS.includes(about.type)) {
        return say(
          "I did not start on your question: I answer in threads, and this kind of channel has no threads. Please ask me in a text channel.",
        );
      }
      const missing = lacking(about.permission_overwrites, aim);
      if (missing.length > 0) {
        return say(
          "I did not start on your question: I cannot answer in this channel without {permissions}. Please ask an administrator of this server to grant these permissions, then ask me again.",
          { permissions: missing.map(spaced).join(", ") },
        );
      }
      const isFull = clock.now() - (full.get(channels.guildOf(place)) ?? -Infinity) < FULL_FOR;
      return root === null && isFull
        ? say(
            "I did not start on your question: this server has as many active threads as Discord allows. Please ask me again when some of them are closed.",
          )
        : null;
    },
  };
};

const neededFor = ({ root, isPrivate }: Aim): readonly (keyof typeof Bits)[] => {
  const opens = isPrivate ? "CreatePrivateThreads" : "CreatePublicThreads";
  return ["ViewChannel", ...(root === null ? ([opens] as const) : []), "SendMessagesInThreads"];
};
