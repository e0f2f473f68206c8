/** Opens a store without a host. */

import { openStore as openWith } from "../../src/store/sqlite.ts";
import { TABLES } from "./tables.ts";

type Given = Parameters<typeof openWith>;

export const openStore = (directory: string, log?: Given[2], start?: Given[3], held?: Given[4]) =>
  openWith(directory, TABLES, log, start, held);
