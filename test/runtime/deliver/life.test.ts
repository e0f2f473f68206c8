/**
 * Laws of a thread at rest, over generated lives: turns of every kind and end, questions that end in every way, budgets in every
 * state, a platform that fails as platforms do, and a process that ends in between. Seeds that once failed run again.
 */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANSWERS } from "../../../src/machine/vocabulary.ts";
import { askedWalks, earlierWalks, turnWalks } from "../../machine/walk.ts";
import { testSeed } from "../../seed.ts";
import { createBoard } from "./board.ts";
import {
  beats,
  type Life,
  limitsOf,
  live,
  type Platform,
  PLATFORMS,
  purses,
  type Weather,
  weathers,
  worstWeathers,
} from "./life.ts";

const RUNS = 20;
interface Lived extends Life {
  /** To live it again. */
  readonly name: string;
}

const livesOf = async (
  platform: Platform,
  weather: fc.Arbitrary<Weather>,
  seeds: readonly number[],
): Promise<readonly Lived[]> => {
  const lives: Lived[] = [];
  const given = fc.tuple(fc.oneof(earlierWalks, askedWalks, turnWalks), beats, purses, weather);
  for (const seed of [...seeds, testSeed()])
    for (const [index, [walk, script, purse, accidents]] of fc
      .sample(given, { numRuns: RUNS, seed })
      .entries()) {
      const board = createBoard(limitsOf(platform, purse));
      const life = await live(walk, script, platform, board, accidents);
      lives.push({ ...life, name: `life ${index} of seed ${seed}` });
    }
  return lives;
};

/** Lived once for all laws. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
};

const namesOf = (lives: readonly Lived[], isWrong: (life: Lived) => boolean): readonly string[] =>
  lives.filter(isWrong).map(({ name }) => name);

const cardsOf = ({ messages }: Life): readonly string[] =>
  messages.flatMap(({ content }) =>
    content.buttons.flatMap(({ action, value }) =>
      ANSWERS.some((one) => one === action) ? [value.replace(/\/\d+$/, "")] : [],
    ),
  );

describe.each(PLATFORMS)("a thread at rest on $name", (platform) => {
  const fair = once(() => livesOf(platform, fc.constant([]), [3, 10, 146755187]));
  const rough = once(() => livesOf(platform, weathers, [3, 254384661, 182129398]));
  const worst = once(() => livesOf(platform, worstWeathers, [7, 254384661, 90000010, 90000062, 25059976]));

  it("40.B no card stands without its question, however that ended", async () => {
    const lives = [...(await fair()), ...(await rough()), ...(await worst())];
    expect(namesOf(lives, (life) => cardsOf(life).some((value) => value !== life.pending))).toEqual([]);
    // And those that wait have theirs.
    expect(lives.filter((life) => cardsOf(life).length > 0).length).toBeGreaterThan(2);
  });

  it("40.B no stream is open and the ledger names none, whatever buttons its message has", async () => {
    const lives = [...(await fair()), ...(await rough()), ...(await worst())];
    expect(namesOf(lives, isOpen)).toEqual([]);
  });

  it("39.A3 a delivered answer is delivered once", async () => {
    const lives = [...(await fair()), ...(await rough())];
    expect(namesOf(lives, isUnequal)).toEqual([]);
    // Of what a platform refuses for good something is missing, and nothing is there twice.
    expect(namesOf(await worst(), isTwice)).toEqual([]);
  });

  it("39.A3 a failed delivery never blocks its thread", async () => {
    const lives = [...(await fair()), ...(await rough()), ...(await worst())];
    expect(namesOf(lives, ({ isBehind, told }) => isBehind && told === null)).toEqual([]);
  });
});

describe.each(PLATFORMS)("a process on $name that ends between two writes of its ledger", (platform) => {
  it("39.A3 delivers each answer once, wherever that is", async () => {
    const given = fc.tuple(fc.oneof(askedWalks, turnWalks), beats, purses);
    const samples = fc.sample(given, { numRuns: 3, seed: testSeed() });
    const lives = [...samples, ...fc.sample(given, { numRuns: 3, seed: 11 })];
    const lost: string[] = [];
    let tried = 0;
    for (const [index, [walk, script, purse]] of lives.entries()) {
      const liveUntil = (endsAfter: number): Promise<Life> =>
        live(walk, script, platform, createBoard(limitsOf(platform, purse)), [], endsAfter);
      const { writes } = await liveUntil(Infinity);
      for (let endsAfter = 1; endsAfter <= writes; endsAfter += 1) {
        const life = await liveUntil(endsAfter);
        tried += 1;
        if (isUnequal(life) || isOpen(life) || life.isBehind)
          lost.push(`life ${index} after write ${endsAfter}`);
      }
    }
    expect(lost).toEqual([]);
    expect(tried).toBeGreaterThan(20);
  });
});

const isOpen = ({ messages, rows }: Life): boolean =>
  messages.some((one) => one.isOpen) ||
  rows.some(({ id, state }) => state === "sent" && id?.startsWith("~") === true);

const isUnequal = ({ messages, rows, wanted, told }: Life): boolean => {
  const shown = rows.filter(({ key, post }) => wanted.includes(key) || post === told);
  const ids = shown.flatMap(({ id }) => id ?? []).toSorted((x, y) => x.localeCompare(y));
  return (
    wanted.some((key) => !shown.some((row) => row.key === key && row.state === "sent")) ||
    JSON.stringify(ids) !==
      JSON.stringify(messages.map(({ id }) => id).toSorted((x, y) => x.localeCompare(y)))
  );
};

const isTwice = ({ messages }: Life): boolean =>
  new Set(messages.map(({ wire }) => wire)).size < messages.length;
