/** Money of an emoji's threads: paid for by their people, and limited by the watch. */

import { expect, it } from "vitest";
import type { Watch, WatchThread } from "../../../src/features/watches/store/watches.ts";
import { createReactions } from "../../../src/features/watches/emoji.ts";
import { english, type Say } from "../../../src/i18n/say.ts";
import { openMemory } from "../../store/in-memory.ts";

const WATCH: Watch = {
  id: "emoji-1",
  surface: "slack",
  place: "C1",
  source: { kind: "emoji", emoji: "mag" },
  mode: null,
  instructions: "Look",
  perHour: 6,
  standing: { kind: "on" },
  failures: 0,
  by: "slack:UALICE",
  at: 1,
};

const reacted = { place: "C1", root: "1.0", direct: false, message: "1.0", person: "UBOB", emoji: "mag" };

const scene = (spent: number, most: number | null) => {
  const begun: WatchThread[] = [];
  const asked: string[] = [];
  const told: string[] = [];
  const reactions = createReactions({
    watcher: { all: () => [WATCH] },
    inbox: openMemory().rows,
    ledger: { ...openMemory().ledger, find: () => null },
    rows: {
      begin: async (thread) => {
        begun.push(thread);
        return { kind: "done" };
      },
      begunSince: () => begun.map(({ began }) => began),
    },
    money: () => ({ most, spent, renewsAt: 10_000 }),
    clock: { now: () => 5_000, after: (_, fire) => (queueMicrotask(fire), () => undefined) },
  });
  const questions = {
    isAsked: () => false,
    ask: async (id: string) => {
      asked.push(id);
      return "done" as const;
    },
    tell: async (words: (say: Say) => string) => void told.push(words(english)),
  };
  return { asked, told, take: () => reactions.take("slack", { ...reacted, at: 1, moment: 1 }, questions) };
};

it("a watch that has spent its budget asks nothing and says so; one with money asks", async () => {
  const poor = scene(100, 100);
  expect(await poor.take()).toBe("done");
  expect(poor.asked).toEqual([]);
  expect(poor.told).toEqual([
    "The watch of this emoji has spent its budget for today. Mention me in a reply instead.",
  ]);
  for (const rich of [scene(99, 100), scene(100, null)]) {
    await rich.take();
    expect(rich.asked).toEqual(["emoji/C1/1.0/mag"]);
    expect(rich.told).toEqual([]);
  }
});
