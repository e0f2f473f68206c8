/**
 * Every function that reads the text of others takes time in proportion to it: what people, models, tools, repositories
 * and forges write reaches the one event loop. A new reader is one line in the READERS of its folder. Each reader
 * gets a third of the texts, and the commit decides which third.
 */

import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isInSample } from "../sample.ts";
import { type Read, READERS as CORE } from "./readers.ts";
import { type Made, TEXTS } from "./texts.ts";

const READERS_OF = z.object({
  READERS: z.record(
    z.string(),
    z.custom<Read>((value) => typeof value === "function"),
  ),
});
const features = join(import.meta.dirname, "../features");
const lists = globSync("*/readers.ts", { cwd: features }).toSorted();
const ofFeatures = await Promise.all(
  lists.map(async (list) => READERS_OF.parse(await import(join(features, list))).READERS),
);
const READERS: Readonly<Record<string, Read>> = Object.assign({}, CORE, ...ofFeatures);

const SMALL = 10_000;
const LARGE = 100_000;
/** Milliseconds at SMALL: a hundred times as much, which the square of the text would take, is no trouble either. */
const AT_ONCE = 1;
/** At SMALL: more than a pause of the collector is measured well enough at once. */
const CLEAR = 5;
/** At LARGE: less is no trouble, whatever it grew by. */
const QUICK = 100;
/** Ten times the text takes ten times as long where time is linear, a hundred times where it grows with the square. */
const GROWTH = 60;
/** The machine may be busy and the collector at work: the best of so many counts. */
const TRIES = 3;

const elapsed = (read: Read, text: string): number => {
  const begun = performance.now();
  read(text);
  return performance.now() - begun;
};

/** Of this thread alone: it may have waited for the machine. */
const spent = (read: Read, text: string): number => {
  const begun = process.threadCpuUsage();
  read(text);
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
};

/** `enough`: what is no more than this is not measured again. */
const best = (measure: typeof spent, read: Read, text: string, enough: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let no = 0; no < TRIES && least > enough; no += 1) least = Math.min(least, measure(read, text));
  return least;
};

/** The texts whose time is not in proportion. Of those that take longer than an instant the slower half is looked at. */
const troubles = (read: Read, texts: readonly Made[]): readonly string[] => {
  const slower = texts
    .map((made) => ({ made, small: smallTime(read, made) }))
    .filter(({ small }) => small > AT_ONCE)
    .toSorted((a, b) => b.small - a.small);
  return slower.slice(0, Math.ceil(slower.length / 2)).flatMap((one) => trouble(read, one) ?? []);
};

const smallTime = (read: Read, { of }: Made): number => {
  const text = of(SMALL);
  const once = spent(read, text);
  if (once > CLEAR) return once;
  if (once <= AT_ONCE || best(elapsed, read, text, AT_ONCE) <= AT_ONCE) return 0;
  return spent(() => Array.from({ length: TRIES }, () => read(text)), text) / TRIES;
};

/** Null where its time is in proportion. `small`: milliseconds at SMALL. */
const trouble = (
  read: Read,
  { made: { name, of }, small }: { readonly made: Made; readonly small: number },
): string | null => {
  const enough = Math.max(QUICK, GROWTH * small);
  const first = best(spent, read, of(LARGE), enough);
  if (first <= enough) return null;
  // The engine may have dropped its compiled code since: both sizes count as it runs now.
  const now = Math.max(small, best(spent, read, of(SMALL), 0));
  const large = Math.min(first, best(spent, read, of(LARGE), GROWTH * now));
  return large <= GROWTH * now ? null : `${name}: ${now} ms at ${SMALL}, ${large} ms at ${LARGE}`;
};

const slow = (text: string): string => `${" ".repeat(text.length / 5)}x`.replaceAll(/[ \t]+$/gm, "");

describe("time grows with the text and no faster", () => {
  it.each(Object.entries(READERS))("%s", (reader, read) => {
    const texts = TEXTS.filter(({ name }) => isInSample(`${reader} ${name}`, 3));
    expect(troubles(read, texts)).toEqual([]);
  });

  it("the test would notice a pattern that begins anew at every blank", () => {
    // The engine compiles a pattern after its first uses, and a busy machine measures a text amiss now and then.
    for (const { of } of TEXTS.slice(0, 4)) slow(of(SMALL));
    const noticed = TEXTS.slice(0, 4).some((made) => troubles(slow, [made]).length > 0);
    expect(noticed).toBe(true);
  });
});
