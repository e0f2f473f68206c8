/** Sections of features, each made by `test/features/NAME/reference.ts`. */

import { globSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

interface Section {
  readonly title: string;
  readonly body: () => Promise<string>;
}

const folder = join(import.meta.dirname, "../../features");

const module = z.object({
  SECTION: z.object({
    title: z.string(),
    body: z.custom<Section["body"]>((value) => typeof value === "function"),
  }),
});

export const sectionsOfFeatures = (): Promise<readonly Section[]> =>
  Promise.all(
    globSync("*/reference.ts", { cwd: folder })
      .toSorted()
      .map(async (file) => module.parse(await import(join(folder, file))).SECTION),
  );
