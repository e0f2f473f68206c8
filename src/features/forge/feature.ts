/** GitHub and GitLab with the operator's credentials, or in people's names: reading, and writing after a person's approval. */

import { z } from "zod";
import { defineFeature, type FeatureParts } from "../../feature.ts";
import { budget, countSetting } from "../../settings/kinds.ts";
import type { OwnerTable } from "../../thread/owners.ts";
import type { ForgePeople } from "./people/people.ts";
import { tables } from "./tables.ts";
import type { TendContext } from "./tend/open.ts";

interface OwnForge {
  readonly people: ForgePeople;
  readonly tend: TendContext;
}

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
    const { access, forges, secrets, names, clients, tending } = opened;
    let owners: OwnerTable | undefined;
    return {
      kind: "read",
      secrets,
      forge: access,
      tools: (kit) => allForgeTools(forges, kit, tending, { names, owners: () => owners }),
      open: async (core): Promise<FeatureParts & { readonly own: OwnForge }> => {
        const [{ openForgePeople }, { openTending }] = await Promise.all([
          import("./people/people.ts"),
          import("./tend/open.ts"),
        ]);
        const people = openForgePeople(clients, core);
        names.open(people.names);
        owners = core.owners;
        const settings = { pushes, budget: most ?? Number.MAX_SAFE_INTEGER };
        const tend = openTending(core, forges, settings, tending, names);
        return {
          ...tend,
          own: { people: people.own, tend: tend.own },
          start: () => {
            tend.start();
            return people.start();
          },
          leave: () => Promise.all([tend.leave(), people.leave()]),
        };
      },
    };
  },
  clicks: (own: () => OwnForge) => ({
    look_after: async (...pressed) => (await import("./tend/clicks.ts")).lookAfter(own().tend)(...pressed),
    ask_for_merge: async (...pressed) =>
      (await import("./merge-click.ts")).askForMerge(own().tend)(...pressed),
    stop_looking_after: async (...pressed) =>
      (await import("./tend/clicks.ts")).stopLookingAfter(own().tend)(...pressed),
  }),
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
  commands: async (own: () => OwnForge) => {
    const { connectCommand, disconnectCommand } = await import("./people/command.ts");
    const people = (): ForgePeople => own().people;
    return [connectCommand(people), disconnectCommand(people)];
  },
});
