/** Reads pages that people link to, once, if the channel allows it. */

import { z } from "zod";
import { defineFeature } from "../../feature.ts";

export const links = defineFeature({
  name: "links",
  settings: z.object({}),
  open: async (_settings, core) => {
    const { openLinks } = await import("./open.ts");
    return openLinks(core);
  },
  commands: async () => {
    const { linksCommand } = await import("./command.ts");
    return [linksCommand];
  },
});
