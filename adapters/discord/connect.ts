/**
 * What the gateway tells, taken: kept, acknowledged, handled; and what was missed while no session ran, read back.
 * Messages need no acknowledgement and have none: what was not kept when the process died is read back at the next start.
 */

import * as z from "zod";
import type { Millis } from "../../src/core/id.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { Arrived, Inbox } from "../../src/runtime/ports-chat.ts";
import { acknowledge, turnAway } from "./acknowledge.ts";
import { admit, type Ears } from "./inbound.ts";
import { unreadOf } from "./people.ts";
import { type Interaction, readInteraction } from "./read.ts";
import type { Calls } from "./rest.ts";
import type { Whispers } from "./whispers.ts";
import { discordMessage, idAt, isNewer } from "./wire.ts";

/** How far back messages are looked for that no session told of. */
const MISSED: Millis = 3_600_000;
const PAGE = 100;

export interface TakeDeps {
  readonly calls: Calls;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly inbox: Inbox;
  readonly ears: Ears;
  readonly whispers: Pick<Whispers, "keep">;
  /** The place has a repository: mentions in it may have been missed. */
  readonly isEnabled: (place: string) => boolean;
}

export interface Take {
  /** A dispatch of the gateway. */
  hear(type: string, data: unknown): void;
  /** Settles when the interaction's acknowledgement has ended; at once where none is under way. */
  acknowledged(interaction: string): Promise<void>;
}

export const createTake = (deps: TakeDeps): Take => {
  const { calls, log, inbox, ears } = deps;
  const pending = new Map<string, Promise<void>>();

  const keep = async (type: string, data: unknown): Promise<Arrived> => {
    const arrival = admit(type, data, ears);
    if (arrival === null) return { kind: "known" };
    const arrived = await inbox.arrive(arrival);
    if (arrived.kind === "failed") {
      log.error("discord: what arrived could not be stored", { id: arrival.id, why: arrived.message });
    }
    return arrived;
  };

  const interact = async (data: unknown, one: Interaction): Promise<void> => {
    const kept = await keep("INTERACTION_CREATE", data);
    if (kept.kind === "failed") await turnAway(calls, log, one, kept.message);
    if (kept.kind !== "stored") return;
    const { application, token } = one;
    if (await acknowledge(calls, log, one))
      deps.whispers.keep(one.channel, one.person, { application, token });
  };

  const meet = (data: unknown): void => {
    const one = readInteraction(data);
    if (one === null || pending.has(one.id)) return;
    const ended = interact(data, one);
    pending.set(one.id, ended);
    void ended.finally(() => pending.delete(one.id));
  };

  /** Both what was missed in open conversations and new mentions where Parley is enabled. */
  const catchUp = async (data: unknown): Promise<void> => {
    const guild = guildSchema.safeParse(data);
    if (!guild.success) return;
    const since = idAt(deps.clock.now() - MISSED);
    const { id, channels, threads } = guild.data;
    const places = [
      ...channels.filter((one) => deps.isEnabled(one.id)),
      ...threads.filter((one) => deps.isEnabled(one.parent_id) || ears.knows(one.parent_id, one.id)),
    ].filter(({ last_message_id: last }) => typeof last !== "string" || isNewer(last, since));
    for (const place of places) await readBack(id, place.id, since);
  };

  const readBack = async (guild: string, channel: string, since: string): Promise<void> => {
    try {
      const query = { after: since, limit: String(PAGE) };
      const page = messages.parse(await calls.call("GET", `/channels/${channel}/messages`, { query }));
      for (const one of page.toReversed()) await keep("MESSAGE_CREATE", { ...one, guild_id: guild });
    } catch (error) {
      log.warn("discord: missed messages could not be read back", { channel, why: unreadOf(error).why });
    }
  };

  return {
    hear: (type, data) => {
      switch (type) {
        case "MESSAGE_CREATE":
          void keep(type, data);
          return;
        case "INTERACTION_CREATE":
          meet(data);
          return;
        case "GUILD_CREATE":
          void catchUp(data);
          return;
      }
    },
    acknowledged: (interaction) => pending.get(interaction) ?? Promise.resolve(),
  };
};

const messages = z.array(discordMessage);
const last = z.string().nullish();
const guildSchema = z.object({
  id: z.string(),
  channels: z.array(z.object({ id: z.string(), type: z.int(), last_message_id: last })),
  threads: z.array(z.object({ id: z.string(), parent_id: z.string(), last_message_id: last })),
});
