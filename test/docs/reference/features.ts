/** Sections and tools of features, each made by `test/features/NAME/reference.ts`. */

import { globSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Tool } from "../../../src/tools/tool.ts";

interface Section {
  readonly title: string;
  readonly body: () => Promise<string>;
}

const folder = join(import.meta.dirname, "../../features");

const section = z.object({
  title: z.string(),
  body: z.custom<Section["body"]>((value) => typeof value === "function"),
});

const module = z.object({ SECTION: section.optional(), TOOLS: z.array(z.custom<Tool>()).default([]) });

export const sectionsOfFeatures = async (): Promise<readonly Section[]> =>
  (await modules()).flatMap(({ SECTION }) => SECTION ?? []);

export const toolsOfFeatures = async (): Promise<readonly Tool[]> =>
  (await modules()).flatMap(({ TOOLS }) => TOOLS);

const modules = () =>
  Promise.all(
    globSync("*/reference.ts", { cwd: folder })
      .toSorted()
      .map(async (file) => module.parse(await import(join(folder, file)))),
  );
