import { defineFeature } from "../../feature.ts";
import { answersSettings } from "./settings.ts";
import { tables } from "./tables.ts";

export const answers = defineFeature({
  name: "answers",
  settings: answersSettings,
  tables: tables,
  open: async (settings, core) => {
    const { openAnswers } = await import("./open.ts");
    return openAnswers(settings, core);
  },
  commands: async () => {
    const { reviewCommand } = await import("./command.ts");
    return [reviewCommand];
  },
  findings: async function* (settings, examined) {
    const { answersFindings } = await import("./findings.ts");
    yield* answersFindings(settings, examined);
  },
});
