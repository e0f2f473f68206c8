/** What a channel's digest may tell: nothing that its readers could not read where it stands. */

import { expect, it } from "vitest";
import { createDigests } from "../../../src/features/digest/digests.ts";
import { createDigestRows } from "../../../src/features/digest/rows.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { spanOf } from "../../../src/features/digest/week.ts";
import { insertAsked } from "../../store/asked.ts";
import { openGrouped } from "../../store/kit.ts";

const WEEK = "2026-11-16";
const AT = (spanOf(WEEK)?.from ?? 0) + 1;
const HERE = { surface: "slack", place: "C1", server: null, of: "readers" } as const;
const never = () => Promise.reject(new Error("nobody drafts"));

/** `closed`: threads and channels that not everybody can read; null: the platform says nothing. */
const open = (closed: readonly string[] | null) => {
  const { db, rows: table, feedback } = openGrouped();
  const rows = createDigestRows(table, silentLog);
  const insert = insertAsked(db);
  const asked: string[] = [];
  const digests = createDigests({
    rows,
    feedback,
    audience: (_, place, root) => {
      asked.push(`${place} ${root}`);
      if (closed === null) return Promise.resolve(null);
      const isClosed = closed.includes(place) || closed.includes(root ?? "");
      return Promise.resolve(isClosed ? "private" : "public");
    },
    bot: { create: never, say: never },
    clock: { now: () => AT },
    randomId: () => "id",
  });
  return { digests, insert, asked };
};

it("what had no answer is told where everybody can read it; a closed channel hears of its own", async () => {
  const rows = [
    { n: 1, at: AT, question: "open here", place: "C1", answer: null },
    { n: 2, at: AT, question: "closed thread here", place: "C1", answer: null },
    { n: 3, at: AT, question: "open elsewhere", place: "C2", answer: null },
    { n: 4, at: AT, question: "closed elsewhere", place: "C3", answer: null },
    { n: 5, at: AT, question: "closed thread, answered", place: "C1", answer: { audience: "private" } },
  ] as const;
  const told = async (closed: readonly string[] | null, of: "own" | "readers" = "readers") => {
    const { digests, insert } = open(closed);
    rows.forEach(insert);
    const { unanswered, counts } = await digests.read({ ...HERE, of }, WEEK);
    return [unanswered.toSorted(), counts.answered];
  };
  expect(await told(["2", "C3"])).toEqual([["open elsewhere", "open here"], 0]);
  expect(await told(["C1", "C3"])).toEqual([["closed thread here", "open elsewhere", "open here"], 1]);
  expect(await told(null)).toEqual([[], 0]);
  expect(await told(["2", "C3"], "own")).toEqual([["closed thread here", "open here"], 1]);
});

it("the platform is asked about a thread once, and about so many at most", async () => {
  const { digests, insert, asked } = open([]);
  for (let n = 0; n < 260; n += 1) insert({ n, at: AT + n, question: `question ${n}`, answer: null });
  expect((await digests.read(HERE, WEEK)).counts.unanswered).toBe(200);
  expect(asked).toHaveLength(201);
});

it("switched on again, a channel misses no week", async () => {
  const { digests } = open([]);
  const channel = { surface: "slack", place: "C1", server: null, by: "slack:U1" } as const;
  await digests.on(channel);
  expect(digests.channel("slack", "C1")).toMatchObject({ told: "2026-11-09", by: "slack:U1" });
  await digests.on({ ...channel, by: "slack:U2" });
  expect(digests.channel("slack", "C1")).toMatchObject({ told: "2026-11-09", by: "slack:U2" });
  await digests.off("slack", "C1");
  expect(digests.channel("slack", "C1")).toBeNull();
});
