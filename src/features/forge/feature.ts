/** GitHub and GitLab with the operator's credentials: reading, and writing after a person's approval. */

import { z } from "zod";
import { defineFeature, type FeatureParts } from "../../feature.ts";
import { budget, countSetting } from "../../settings/kinds.ts";
import type { TendContext } from "./tend/open.ts";
import { tables } from "./tables.ts";

export const forge = defineFeature({
  name: "forge",
  settings: z.object({
    PARLEY_FORGES: z.string().optional(),
    PARLEY_LOOK_AFTER_PUSHES: countSetting(1, 50).default(5),
    PARLEY_LOOK_AFTER_BUDGET: budget.default(5_000_000),
  }),
  tables: tables,
  read: async (
    { PARLEY_FORGES: path = null, PARLEY_LOOK_AFTER_PUSHES: pushes, PARLEY_LOOK_AFTER_BUDGET: most },
    reading,
  ) => {
    const [{ openForges }, { allForgeTools }] = await Promise.all([
      import("./open.ts"),
      import("./tools/all.ts"),
    ]);
    const opened = openForges(path, reading);
    if (opened.kind === "invalid") return opened;
    const { access, forges, secrets, tending } = opened;
    return {
      kind: "read",
      secrets,
      forge: access,
      tools: (kit) => allForgeTools(forges, kit, tending),
      open: async (core): Promise<FeatureParts & { readonly own: TendContext }> => {
        const { openTending } = await import("./tend/open.ts");
        const settings = { pushes, budget: most ?? Number.MAX_SAFE_INTEGER };
        return openTending(core, forges, settings, tending);
      },
    };
  },
  clicks: (own: () => TendContext) => ({
    look_after: async (...pressed) => (await import("./tend/clicks.ts")).lookAfter(own())(...pressed),
    stop_looking_after: async (...pressed) =>
      (await import("./tend/clicks.ts")).stopLookingAfter(own())(...pressed),
  }),
  findings: async function* ({ PARLEY_FORGES: path = null }, { reading, repos }) {
    const [{ openForges }, { forgeFindings }] = await Promise.all([
      import("./open.ts"),
      import("./findings.ts"),
    ]);
    yield* forgeFindings(openForges(path, reading), repos);
  },
});
