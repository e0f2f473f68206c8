/** Functions of the forge that read the text of others. */

import { errorTextOf } from "../../../src/features/forge/api/ask.ts";
import { rowsOfPatch } from "../../../src/features/forge/review/diff-lines.ts";
import { eraseValues } from "../../../src/features/forge/api/eraser.ts";
import type { Read } from "../../linear/readers.ts";

export const READERS: Readonly<Record<string, Read>> = {
  "forge: words": errorTextOf,
  "forge: diff": rowsOfPatch,
  "forge: echo": (text) => eraseValues(text, ["a credential"]),
};
