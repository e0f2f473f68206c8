import type { Tables } from "../../ports/tables.ts";
import { tendTables } from "./tend/tables.ts";

export const tables: readonly Tables[] = [...tendTables];
