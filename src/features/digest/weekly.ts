/**
 * Tells each channel that wants it how the last week went, on Monday from nine o'clock UTC on. A week is told once, whatever
 * crashes; of several that were missed, the newest. A week in which nobody asked anything is told to nobody.
 */

import type { Millis } from "../../machine/id.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { DigestChannel, DigestRows, Digests } from "./ports.ts";
import type { Ambient } from "../../ports/host.ts";
import { type Hourly, startHourly } from "../../runtime/bot/rounds.ts";
import { cardOf } from "./card.ts";
import { WEEK, weekOf } from "./week.ts";

/** After a start other things come first. */
const FIRST: Millis = 60_000;
/** After the week has ended. */
const NINE: Millis = 9 * 60 * 60_000;

interface WeeklyDeps extends Ambient {
  readonly digests: Pick<Digests, "read">;
  readonly rows: Pick<DigestRows, "digests" | "putDigest">;
  readonly surfaces: () => readonly Pick<ChatSurface, "name" | "standing" | "tell" | "say">[];
}

export const startWeekly = ({ digests, rows, surfaces, clock, log }: WeeklyDeps): Hourly => {
  const tell = async (channel: DigestChannel): Promise<void> => {
    const week = weekOf(clock.now() - WEEK - NINE);
    if (channel.told >= week) return;
    const surface = surfaces().find(({ name }) => name === channel.surface);
    // Its platform is away: the next look tells it.
    if (surface?.standing() !== "on") return;
    const digest = await digests.read({ ...channel, of: "readers" }, week);
    if (digest.counts.questions > 0) {
      const line = { id: `digest ${week}`, ...cardOf(digest, surface.say(channel.place)) };
      const put = await surface.tell(channel.place, line);
      if (put.kind === "refused") {
        log.warn("a digest could not be told; it is tried again", { place: channel.place, why: put.why });
        return;
      }
    }
    // Somebody may have switched it off meanwhile.
    if (!rows.digests().some(({ surface: on, place }) => on === channel.surface && place === channel.place))
      return;
    const kept = await rows.putDigest({ ...channel, told: week });
    if (kept.kind === "failed") log.warn("that a digest was told could not be noted", { code: kept.code });
  };

  return startHourly(clock, FIRST, async (ending) => {
    for (const channel of rows.digests()) if (!ending.aborted) await tell(channel);
  });
};
