/** What doctor says of posted answers that are held to their branches. */

import type { Config } from "../../host/settings/config.ts";
import { DAY } from "../../machine/id.ts";
import { type Finding, ok } from "./finding.ts";
import { stored } from "./stored.ts";

type Known = Pick<Config, "PARLEY_DATA" | "PARLEY_STALE_DAYS" | "PARLEY_HOOK_SECRET">;

export const answersFinding = (config: Known, now = Date.now()): Finding | null => {
  const { PARLEY_DATA: directory, PARLEY_STALE_DAYS: days, PARLEY_HOOK_SECRET: secret } = config;
  if (days === 0) return ok("answers", "not held to their branches (PARLEY_STALE_DAYS is 0)");
  const all = stored(directory, ({ answers }) =>
    answers.answersPage(now - days * DAY, null, Number.POSITIVE_INFINITY),
  );
  if (all === null) return null;
  const changed = all.filter(({ standing }) => standing === "changed").length;
  const when =
    secret === undefined
      ? "every ten minutes"
      : "every ten minutes, and at once where the forge sends pushes";
  return ok(
    "answers",
    `${all.length} of the last ${days} days, ${changed} cite what has changed; looked at ${when}`,
  );
};
