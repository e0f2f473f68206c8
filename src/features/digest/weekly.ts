/**
 * Posts last week's digest to each subscribed channel, on Monday from nine o'clock UTC on. A week is posted only once, even
 * after crashes. If several weeks were missed, only the newest is posted. A week without questions is not posted.
 */

import type { Millis } from "../../machine/id.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { DigestChannel, DigestRows, Digests } from "./ports.ts";
import type { Ambient } from "../../ports/host.ts";
import { type Hourly, startHourly } from "../../runtime/bot/repeating-task.ts";
import { cardOf } from "./card.ts";
import { WEEK, weekOf } from "./week.ts";

/** Lets more urgent work run first after a start. */
const FIRST: Millis = 60_000;
/** Delay after the end of the week. */
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
    // The platform is disconnected; the next round tries again.
    if (surface?.standing() !== "on") return;
    const digest = await digests.read({ ...channel, of: "readers" }, week);
    if (digest.counts.questions > 0) {
      const line = { id: `digest ${week}`, ...cardOf(digest, surface.say(channel.place)) };
      const put = await surface.tell(channel.place, line);
      if (put.kind === "refused") {
        log.warn("digest: digest not posted, retry scheduled", { place: channel.place, why: put.why });
        return;
      }
    }
    // The digest may have been switched off while it was computed.
    if (!rows.digests().some(({ surface: on, place }) => on === channel.surface && place === channel.place))
      return;
    const kept = await rows.putDigest({ ...channel, told: week });
    if (kept.kind === "failed") log.warn("digest: posted week not stored", { code: kept.code });
  };

  return startHourly(clock, FIRST, async (ending) => {
    for (const channel of rows.digests()) if (!ending.aborted) await tell(channel);
  });
};
