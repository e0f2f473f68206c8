/** What a soak's figures say: pure. */

import type { Look, Soaked } from "./soak.ts";

/** The part of the looks in which caches fill. */
const WARM = 1 / 3;

/** Megabytes for each thousand turns, by least squares over the looks after warm-up. */
export const growthOf = (looks: readonly Look[]): { readonly heap: number; readonly rss: number } => {
  const warm = looks.slice(Math.floor(looks.length * WARM));
  const turns = warm.map(({ said }) => said / 1_000);
  return {
    heap: slope(
      turns,
      warm.map(({ heap }) => heap),
    ),
    rss: slope(
      turns,
      warm.map(({ rss }) => rss),
    ),
  };
};

/** Connections to the platforms and to the model that are kept for the next request, and files of the database. */
const SPARE = 24;

/** Handles and processes that are there although everything has been answered, one sentence each. */
export const leftOver = ({ first, last }: Pick<Soaked, "first" | "last">): readonly string[] =>
  (["descriptors", "children", "resources"] as const).flatMap((kind) =>
    last[kind] > first[kind] + (kind === "children" ? 0 : SPARE)
      ? [`${last[kind]} ${kind} are left, of ${first[kind]} at the beginning`]
      : [],
  );

const slope = (x: readonly number[], y: readonly number[]): number => {
  const [mx, my] = [mean(x), mean(y)];
  const above = x.reduce((sum, value, index) => sum + (value - mx) * ((y[index] ?? my) - my), 0);
  const below = x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
  return below === 0 ? 0 : above / below;
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
