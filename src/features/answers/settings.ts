import { z } from "zod";
import { countSetting } from "../../settings/kinds.ts";

export const answersSettings = z.object({
  PARLEY_REVIEW_DAYS: countSetting(1, 365).default(3),
  PARLEY_STALE_DAYS: countSetting(0, 36_500).default(90),
  PARLEY_REUSE_DAYS: countSetting(0, 36_500).default(90),
});

export type AnswersSettings = z.infer<typeof answersSettings>;
