/** GitHub and GitLab with the operator's credentials, or in people's names: reading, and writing after a person's approval. */

import { z } from "zod";
import { defineFeature } from "../../feature.ts";
import type { ForgePeople } from "./people/people.ts";
import { tables } from "./tables.ts";

export const forge = defineFeature({
  name: "forge",
  settings: z.object({ PARLEY_FORGES: z.string().optional() }),
  tables: tables,
  read: async ({ PARLEY_FORGES: path = null }, reading) => {
    const [{ openForges }, { allForgeTools }] = await Promise.all([
      import("./open.ts"),
      import("./tools/all.ts"),
    ]);
    const opened = openForges(path, reading);
    if (opened.kind === "invalid") return opened;
    const { access, forges, secrets, names, clients } = opened;
    return {
      kind: "read",
      secrets,
      forge: access,
      tools: (kit) => allForgeTools(forges, kit, names),
      open: async (core) => {
        const { openForgePeople } = await import("./people/people.ts");
        const people = openForgePeople(clients, core);
        names.open(people.names);
        const { own, start, leave } = people;
        return { own, start, leave };
      },
    };
  },
  findings: async function* ({ PARLEY_FORGES: path = null }, { reading, repos, findSealKey }) {
    const [{ openForges }, { forgeFindings }, { connectFindings }] = await Promise.all([
      import("./open.ts"),
      import("./findings.ts"),
      import("./people/findings.ts"),
    ]);
    const opened = openForges(path, reading);
    yield* forgeFindings(opened, repos);
    if (opened.kind === "forges") yield* connectFindings(opened.clients, findSealKey());
  },
  commands: async (own: () => ForgePeople) => {
    const { connectCommand, disconnectCommand } = await import("./people/command.ts");
    return [connectCommand(own), disconnectCommand(own)];
  },
});
