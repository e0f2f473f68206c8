import * as z from "zod";
import { countSetting } from "../../settings/kinds.ts";

export const knowledgeSettings = z.object({
  PARLEY_KNOWLEDGE_HOURS: countSetting(1, 168).default(6),
  PARLEY_KNOWLEDGE_PAGES: countSetting(1, 50_000).default(5_000),
  PARLEY_KNOWLEDGE_MIB: countSetting(16, 65_536).default(1_024),
});

export type KnowledgeSettings = z.infer<typeof knowledgeSettings>;
