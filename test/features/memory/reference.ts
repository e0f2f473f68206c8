/** The tool for docs/reference.md. */

import { createNoteTool } from "../../../src/features/memory/propose-note.ts";

export const TOOLS = [
  createNoteTool({ propose: () => Promise.resolve({ kind: "refused", why: "" }) }, { load: () => null }),
];
