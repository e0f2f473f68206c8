/** Tables that features declare. Stores that no host opens are opened with those of all features; only their declarations are loaded. */

import { globSync } from "node:fs";
import type { Tables } from "../../src/ports/tables.ts";

interface Declaring {
  readonly tables: readonly Tables[];
}

const names = globSync("../../src/features/*/tables.ts", { cwd: import.meta.dirname }).toSorted();
const modules = await Promise.all(names.map((name): Promise<Declaring> => import(`./${name}`)));

export const TABLES: readonly Tables[] = modules.flatMap(({ tables }) => tables);
