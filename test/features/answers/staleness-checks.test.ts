/** When answers are looked at again, and what of a look is stored: over the real store, with branches that move as the test says. */

import { describe, expect, it } from "vitest";
import type { Answer, ReadThread } from "../../../src/ports/answers.ts";
import type { CitationTracker } from "../../../src/features/answers/citations/lines.ts";
import type { Base, RepositoryBinding } from "../../../src/ports/conversation.ts";
import { createStalenessChecks } from "../../../src/features/answers/staleness-checks.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { Citation, CitationChange } from "../../../src/text/citation.ts";
import { postAnswer } from "../../store/posted-answer.ts";
import { createManualClock } from "../../runtime/world.ts";
import { openMemory } from "../../store/in-memory.ts";

const DAY = 86_400_000;
const REPO: RepositoryBinding = { kind: "url", location: "https://github.com/acme/api.git" };
const LINES: Citation = { path: "a.ts:3", from: 3, to: 3, status: "found", file: "a.ts" };
const PAGE: Citation = {
  path: "https://d.example/x",
  from: 0,
  to: 0,
  quote: "so",
  status: "found",
  file: null,
};
const MOVED: CitationChange = { kind: "moved", file: "a.ts", from: 4, to: 4, commit: "c1" };
const CHANGED: CitationChange = { kind: "changed", commit: "c2" };

interface Options {
  readonly days?: number;
  readonly repo?: RepositoryBinding;
  readonly beside?: Pick<Base, "name" | "beside">;
  readonly citations?: readonly Citation[];
  readonly readThread?: ReadThread;
}

/** One answer at `c0`, posted now. */
const world = async ({
  days = 90,
  repo = REPO,
  beside = {},
  citations = [LINES],
  readThread,
}: Options = {}) => {
  const opened = openMemory();
  const clock = createManualClock();
  const now = {
    tip: "c1",
    found: MOVED as CitationChange | null | "unknown",
    page: "holds" as "holds" | "gone" | "unknown",
    isAway: false,
  };
  const asked: string[] = [];
  const shown: string[] = [];
  const placed: string[] = [];
  const lines: CitationTracker = {
    tip: (of) => {
      asked.push(of.location);
      return Promise.resolve(
        now.isAway ? { kind: "failed" } : { kind: "tip", tip: { commit: now.tip, mirror: "m" } },
      );
    },
    compare: (_, cited) => Promise.resolve({ kind: "done", value: cited.map(() => now.found) }),
  };
  const looks = createStalenessChecks({
    answers: opened.answers,
    lines,
    knowledge: { stands: (_, cited) => cited.map(() => now.page) },
    nameOf: ({ location }) => location.replace(/^https:\/\/|\.git$/g, ""),
    readThread: (_, thread) => readThread?.(thread) ?? Promise.resolve(null),
    shown: ({ message }) => void shown.push(message),
    placed: ({ conversation }) => void placed.push(conversation),
    clock,
    log: silentLog,
    days,
  });
  await postAnswer(opened, { no: 1, repo, beside, commit: "c0", at: clock.now(), citations });
  const answer = (): Answer => {
    const [one] = opened.answers.answersPage(0, null, 10_000);
    if (one === undefined) throw new Error("there is no answer");
    return one;
  };
  return { ...opened, looks, now, asked, shown, placed, clock, answer };
};

const pushed = "github.com/acme/api";

describe("a look", () => {
  it("stores what became of an answer and shows it once; the same look again does nothing", async () => {
    const { looks, answer, shown, now } = await world();
    await looks.pushed(pushed);
    expect(answer()).toMatchObject({
      standing: "moved",
      looked: ["c1"],
      citations: [{ ...LINES, now: MOVED }],
    });
    await looks.pushed(pushed);
    expect(shown).toEqual(["m-answer-1"]);
    Object.assign(now, { tip: "c2", found: CHANGED });
    await looks.pushed(pushed);
    expect(answer()).toMatchObject({ standing: "changed", looked: ["c2"] });
    Object.assign(now, { tip: "c3", found: null });
    await looks.pushed(pushed);
    expect(answer()).toMatchObject({ standing: "holds", citations: [LINES] });
    expect(shown).toHaveLength(3);
  });

  it("40.B is for those that quote pages as soon as a source was read to its end, and asks no remote", async () => {
    const { looks, answer, shown, now, asked } = await world({ citations: [PAGE] });
    await looks.read();
    expect(shown).toEqual([]);
    now.page = "gone";
    await looks.read();
    expect(answer().standing).toBe("changed");
    expect(shown).toEqual(["m-answer-1"]);
    now.page = "holds";
    await looks.read();
    expect(answer().standing).toBe("holds");
    expect(asked).toEqual([]);
  });

  it("is for the repository that was pushed to, and for no answer that is too old", async () => {
    const { looks, asked, clock } = await world({ days: 2 });
    await looks.pushed("github.com/acme/web");
    expect(asked).toEqual([]);
    clock.advance(2 * DAY + 1);
    await looks.pushed(pushed);
    expect(asked).toEqual([]);
  });

  it("is never where it is switched off, but before an answer is given again", async () => {
    const { looks, asked, answer } = await world({ days: 0 });
    looks.start();
    await looks.pushed(pushed);
    expect(asked).toEqual([]);
    expect(await looks.holding(answer())).toMatchObject({ standing: "moved" });
  });

  it("comes by itself after a while, whether or not anybody tells of a push", async () => {
    const { looks, clock, answer } = await world();
    looks.start();
    clock.advance(60_000);
    await expect.poll(() => answer().looked).toEqual(["c1"]);
    await looks.close();
  });

  it("leaves the post of an archived thread as it is", async () => {
    const archived = await world({ readThread: () => Promise.resolve({ audience: null, isArchived: true }) });
    const { ledger } = archived;
    await ledger.bind({ conversation: "c-1", surface: "discord", place: "1", root: "2" });
    await archived.looks.pushed(pushed);
    expect(archived.shown).toEqual([]);
    expect(archived.answer().standing).toBe("moved");
  });

  it("is kept apart for each repository of a conversation", async () => {
    const repo = {
      ...REPO,
      name: "api",
      beside: [{ kind: "url", location: "https://github.com/acme/web.git", name: "web" }],
    } as const;
    const citations = [
      { ...LINES, path: "api/a.ts:3", file: "api/a.ts" },
      { ...LINES, path: "web/a.ts:3", file: "web/a.ts" },
    ];
    const opened = await world({
      repo,
      beside: { name: "api", beside: [{ name: "web", commit: "c0", ref: "main" }] },
      citations,
    });
    await opened.looks.pushed("github.com/acme/web");
    expect(opened.answer()).toMatchObject({
      looked: ["", "c1"],
      citations: [citations[0], { ...citations[1], now: { ...MOVED, file: "web/a.ts" } }],
    });
  });
});

describe("an answer that is to be given again", () => {
  it("is looked at first: as its branch is, it is not given where it has changed", async () => {
    const { looks, answer, now } = await world();
    expect(await looks.holding(answer())).toMatchObject({ standing: "moved", looked: ["c1"] });
    Object.assign(now, { tip: "c2", found: CHANGED });
    expect(await looks.holding(answer())).toBeNull();
    expect(await looks.holding(answer())).toBeNull();
  });

  it.each([
    ["its repository is away", { isAway: true }],
    ["what became of a line cannot be told", { found: "unknown" }],
    ["a page cannot be looked up", { page: "unknown" }],
  ] as const)("is not given where %s", async (_, change) => {
    const { looks, answer, now } = await world({ citations: [LINES, PAGE] });
    expect(await looks.holding(answer())).not.toBeNull();
    Object.assign(now, { tip: "c2", ...change });
    expect(await looks.holding(answer())).toBeNull();
    expect(answer().standing).toBe("moved");
  });
});

describe("a page that an answer cites", () => {
  it("has changed once the index lacks it, stands again with it, and nothing is said while its source is read", async () => {
    const { looks, answer, now } = await world({ citations: [PAGE] });
    const standing = async (page: typeof now.page) => {
      now.page = page;
      await looks.pushed(pushed);
      return answer().standing;
    };
    expect(await standing("holds")).toBe("holds");
    expect(await standing("unknown")).toBe("holds");
    expect(await standing("gone")).toBe("changed");
    expect(answer().citations).toEqual([{ ...PAGE, now: { kind: "changed", commit: null } }]);
    expect(await standing("unknown")).toBe("changed");
    expect(await standing("holds")).toBe("holds");
  });
});

describe("who can read an answer", () => {
  it("is asked once its thread is there, and kept; what is not told stays open", async () => {
    const told: ("public" | null)[] = [null, "public"];
    const opened = await world({
      readThread: () => Promise.resolve({ audience: told.shift() ?? null, isArchived: false }),
    });
    await opened.ledger.bind({ conversation: "c-1", surface: "discord", place: "1", root: "2" });
    for (const audience of [null, "public", "public"]) {
      opened.looks.start();
      opened.clock.advance(5_000);
      await opened.looks.pushed("nothing");
      expect(opened.answer().audience).toBe(audience);
      // 40.B: a thread that was marked as solved before is found from then on.
      expect(opened.placed).toEqual(audience === null ? [] : ["c-1"]);
    }
    await opened.looks.close();
  });
});
