import { defineFeature } from "../../feature.ts";
import type { KnowledgeContext } from "./open.ts";
import { knowledgeSettings } from "./settings.ts";

export const knowledge = defineFeature({
  name: "knowledge",
  settings: knowledgeSettings,
  preload: () => import("./open.ts"),
  open: async (settings, core) => {
    const { openKnowledge } = await import("./open.ts");
    return openKnowledge(settings, core);
  },
  findings: async function* (_, core) {
    const { knowledgeFindings } = await import("./findings.ts");
    yield* knowledgeFindings(core);
  },
  commands: async (own: () => KnowledgeContext) => {
    const { knowledgeCommand } = await import("./command.ts");
    return [knowledgeCommand(own)];
  },
});
