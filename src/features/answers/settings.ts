/** Limits: days until a reminder about a held answer, of comparisons with branches, and of reuse. */

import { z } from "zod";
import { count } from "../../settings/kinds.ts";

export const answersSettings = z.object({
  PARLEY_REVIEW_DAYS: count(1, 365).default(3),
  PARLEY_STALE_DAYS: count(0, 36_500).default(90),
  PARLEY_REUSE_DAYS: count(0, 36_500).default(90),
});

export type AnswersSettings = z.infer<typeof answersSettings>;
