/** GitHub and GitLab with the operator's credentials: reading, and writing after a person's approval. */

import { z } from "zod";
import { defineFeature } from "../../feature.ts";

export const forge = defineFeature({
  name: "forge",
  settings: z.object({ PARLEY_FORGES: z.string().optional() }),
  read: async ({ PARLEY_FORGES: path = null }, reading) => {
    const [{ openForges }, { allForgeTools }] = await Promise.all([
      import("./open.ts"),
      import("./tools/all.ts"),
    ]);
    const opened = openForges(path, reading);
    if (opened.kind === "invalid") return opened;
    const { access, forges, secrets } = opened;
    return { kind: "read", secrets, forge: access, tools: (kit) => allForgeTools(forges, kit) };
  },
  findings: async function* ({ PARLEY_FORGES: path = null }, { reading, repos }) {
    const [{ openForges }, { forgeFindings }] = await Promise.all([
      import("./open.ts"),
      import("./findings.ts"),
    ]);
    yield* forgeFindings(openForges(path, reading), repos);
  },
});
