/** Functions that read the text of MCP servers. */

import { listProblemOf } from "../../../src/features/mcp/guard.ts";
import type { Read } from "../../linear/readers.ts";

export const READERS: Readonly<Record<string, Read>> = {
  // 40.A1
  "mcp: message of a server": (text) =>
    listProblemOf({
      result: {
        content: Array.from(text.slice(0, 1_900), (one) => ({ type: "text", text: one })),
        a: text.split(""),
      },
    }),
};
