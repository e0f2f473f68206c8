/** Towns of features (`test/features/NAME/towns.ts`), for `npm run crash`. */

import { globSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Town } from "./platform.ts";

export interface FeatureTown {
  readonly name: string;
  readonly create: () => Promise<Town>;
  /** A thread without what differs from day to day. */
  readonly strip: (thread: string | undefined) => string;
}

const isFunction = (value: unknown): boolean => typeof value === "function";

const TOWNS_OF = z.object({
  TOWNS: z.array(
    z.object({
      name: z.string(),
      create: z.custom<FeatureTown["create"]>(isFunction),
      strip: z.custom<FeatureTown["strip"]>(isFunction),
    }),
  ),
});

export const townsOfFeatures = async (): Promise<readonly FeatureTown[]> => {
  const folder = join(import.meta.dirname, "../features");
  const lists = globSync("*/towns.ts", { cwd: folder }).toSorted();
  const all = await Promise.all(lists.map(async (list) => TOWNS_OF.parse(await import(join(folder, list)))));
  return all.flatMap(({ TOWNS }) => TOWNS);
};
