/** When a week is told, with a clock that the test owns. */

import { expect, it } from "vitest";
import type { HostMessage } from "../../../src/ports/alerts.ts";
import type { Digest } from "../../../src/features/digest/digest.ts";
import type { DigestChannel } from "../../../src/features/digest/ports.ts";
import { createTally } from "../../../src/features/digest/tally.ts";
import { startWeekly } from "../../../src/features/digest/weekly.ts";
import { english } from "../../../src/i18n/say.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createManualClock } from "../../runtime/world.ts";

const HOUR = 3_600_000;
const MONDAY = Date.parse("2026-11-23T00:00:00Z");

const empty = (week: string): Digest => ({ ...createTally({ from: 0, to: 1 }).end(), week });
const busy = (week: string): Digest => ({
  ...empty(week),
  counts: { ...empty(week).counts, questions: 3, answered: 3 },
});

const start = (since: number, { told = "2026-11-09", standing = "on", read = busy } = {}) => {
  const clock = createManualClock();
  clock.set(since);
  const lines: HostMessage[] = [];
  let platform = standing;
  const kept: { channel: DigestChannel | null } = {
    channel: { surface: "slack", place: "C1", server: null, told, by: "slack:U1", at: 1 },
  };
  const surface = {
    name: "slack",
    standing: () => platform,
    say: () => english,
    tell: (_: string, line: HostMessage) =>
      Promise.resolve({ kind: "put", message: String(lines.push(line)) } as const),
  };
  const weekly = startWeekly({
    digests: { read: (_, week) => Promise.resolve(read(week)) },
    rows: {
      digests: () => (kept.channel === null ? [] : [kept.channel]),
      putDigest: (channel) => {
        kept.channel = channel;
        return Promise.resolve({ kind: "done" });
      },
    },
    surfaces: () => [surface],
    clock,
    log: silentLog,
  });
  const look = async (now: number): Promise<readonly string[]> => {
    clock.set(now - HOUR);
    clock.advance(HOUR);
    await expect.poll(() => clock.pending()).toBe(1);
    return lines.map(({ id }) => id);
  };
  return {
    look,
    lines,
    kept,
    reach: (now: string) => {
      platform = now;
    },
    close: () => weekly.close(),
  };
};

it("the week that is over is told from nine on Monday on, once, and the newest of several", async () => {
  const { look, close } = start(MONDAY, { told: "2026-11-02" });
  expect(await look(MONDAY + 8 * HOUR)).toEqual(["digest 2026-11-09"]);
  expect(await look(MONDAY + 9 * HOUR)).toEqual(["digest 2026-11-09", "digest 2026-11-16"]);
  expect(await look(MONDAY + 10 * HOUR)).toHaveLength(2);
  expect(await look(MONDAY + 176 * HOUR)).toHaveLength(2);
  expect(await look(MONDAY + 177 * HOUR)).toHaveLength(3);
  await close();
});

it("who switched it on in a week hears of that week first", async () => {
  const { look, close } = start(MONDAY, { told: "2026-11-16" });
  expect(await look(MONDAY + 50 * HOUR)).toEqual([]);
  expect(await look(MONDAY + 180 * HOUR)).toEqual(["digest 2026-11-23"]);
  await close();
});

it("a platform that is away is told later, and a week without a question is told to nobody", async () => {
  const away = start(MONDAY, { standing: "connecting" });
  expect(await away.look(MONDAY + 10 * HOUR)).toEqual([]);
  away.reach("on");
  expect(await away.look(MONDAY + 11 * HOUR)).toEqual(["digest 2026-11-16"]);
  await away.close();
  const quiet = start(MONDAY, { read: empty });
  expect(await quiet.look(MONDAY + 10 * HOUR)).toEqual([]);
  expect(quiet.kept.channel?.told).toBe("2026-11-16");
  await quiet.close();
});
