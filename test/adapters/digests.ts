/** A host whose week has just ended: looks at what is due as it does on Monday morning, a real week or an hour later. */

import { expect, vi } from "vitest";
import type { ChatSurface } from "../../src/ports/connection.ts";
import type { DigestRows, Digests } from "../../src/ports/digest/digests.ts";
import { startWeekly } from "../../src/runtime/digest/weekly.ts";
import { spanOf } from "../../src/runtime/digest/week.ts";
import { silentLog } from "../../src/store/silent-log.ts";
import { createManualClock } from "../runtime/world.ts";
import { OFTEN } from "./rig.ts";

interface Due {
  readonly digests: Digests;
  readonly rows: Pick<DigestRows, "digests" | "putDigest">;
  readonly surface: ChatSurface;
}

/** Ten o'clock on the Monday after this week. Settles once everything that is due has been told. */
export const nextMonday = async ({ digests, rows, surface }: Due): Promise<void> => {
  const clock = createManualClock();
  clock.set((spanOf(digests.thisWeek())?.to ?? 0) + 10 * 3_600_000);
  const weekly = startWeekly({ digests, rows, surfaces: () => [surface], clock, log: silentLog });
  clock.advance(60_000);
  // Once it has looked it waits for the next hour.
  await vi.waitFor(() => expect(clock.pending()).toBe(1), OFTEN);
  await weekly.close();
};
