import type { Tables } from "../../ports/tables.ts";
import { peopleTables } from "./people/tables.ts";
import { tendTables } from "./tend/tables.ts";

export const tables: readonly Tables[] = [...peopleTables, ...tendTables];
