/** The console: a local page and the API behind it (D4, BED-011). */

import { z } from "zod";
import { defineFeature } from "../../feature.ts";
import { tables } from "./tables.ts";

export const webConsole = defineFeature({
  name: "console",
  settings: z.object({}),
  tables: tables,
  preload: () =>
    Promise.all([import("./web.ts"), import("./search/search-index.ts"), import("./search/indexer.ts")]),
  open: async (_, core) => {
    const [{ createSearchIndex }, { createIndexer }] = await Promise.all([
      import("./search/search-index.ts"),
      import("./search/indexer.ts"),
    ]);
    const { find, index } = createSearchIndex(core);
    const { heard, catchUp, close } = createIndexer({ ...core, search: { index } });
    return {
      surface: { off: null },
      web: async (host) => {
        const { createWeb } = await import("./web.ts");
        // Indexes the messages that were written before the start.
        heard();
        return createWeb(core, host, { find, catchUp });
      },
      heard,
      changed: heard,
      close,
    };
  },
});
