/** The demo: a model without AI, for hosts without another model. */

import { z } from "zod";
import { defineFeature } from "../../feature.ts";
import { suggestedAfter } from "./tour.ts";

export const demo = defineFeature({
  name: "demo",
  settings: z.object({}),
  model: {
    name: "demo",
    notice:
      "This is the demo model: it follows a script and is not an AI. Set ANTHROPIC_API_KEY for a real one.",
    next: suggestedAfter,
    create: async (clock) => {
      const { createDemoModel } = await import("./model.ts");
      return createDemoModel({ clock });
    },
  },
});
