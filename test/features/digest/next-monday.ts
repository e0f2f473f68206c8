/** A host whose week has just ended: looks at what is due as it does on Monday morning, a real week or an hour later. */

import { expect, vi } from "vitest";
import type { ChatSurface } from "../../../src/ports/connection.ts";
import { openDigests } from "../../../src/features/digest/open.ts";
import type { DigestRows } from "../../../src/features/digest/ports.ts";
import { createDigestRows } from "../../../src/features/digest/rows.ts";
import { spanOf } from "../../../src/features/digest/week.ts";
import { startWeekly } from "../../../src/features/digest/weekly.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { StorePorts } from "../../../src/store/write/grouped.ts";
import { OFTEN } from "../../adapters/rig.ts";
import { createManualClock } from "../../runtime/world.ts";

interface Due {
  readonly opened: Pick<StorePorts, "rows" | "feedback">;
  readonly surface: ChatSurface;
  /** In place of the store's. */
  readonly putDigest?: DigestRows["putDigest"];
}

/** Ten o'clock on the Monday after this week. Settles once everything that is due has been told. */
export const nextMonday = async ({ opened, surface, ...otherwise }: Due): Promise<void> => {
  const surfaces = () => [surface];
  const { digests } = openDigests({
    ...opened,
    surfaces,
    bot: { create: never, say: never, read: never, act: never, forget: never },
    operator: { id: "console:operator", mayDrive: true, mayApprove: true },
    randomId: () => "id",
    clock: systemClock,
    log: silentLog,
  }).own;
  const clock = createManualClock();
  clock.set((spanOf(digests.thisWeek())?.to ?? 0) + 10 * 3_600_000);
  const rows = { ...createDigestRows(opened.rows, silentLog), ...otherwise };
  const weekly = startWeekly({ digests, rows, surfaces, clock, log: silentLog });
  clock.advance(60_000);
  // Once it has looked it waits for the next hour.
  await vi.waitFor(() => expect(clock.pending()).toBe(1), OFTEN);
  await weekly.close();
};

const never = () => Promise.reject(new Error("nobody drafts"));
