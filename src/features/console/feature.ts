/** The console: a local page and the API behind it (D4, BED-011). */

import { z } from "zod";
import { defineFeature } from "../../feature.ts";

export const webConsole = defineFeature({
  name: "console",
  settings: z.object({}),
  preload: () => import("./web.ts"),
  open: async (_, core) => ({
    surface: { off: null },
    web: async (host) => {
      const { createWeb } = await import("./web.ts");
      return createWeb(core, host);
    },
  }),
});
