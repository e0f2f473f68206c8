/** What doctor says of posted answers that are held to their branches. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../host/settings/config.ts";
import { DAY } from "../../machine/id.ts";
import { openStoreForReading } from "../../store/sqlite.ts";
import { type Finding, ok } from "./finding.ts";

type Known = Pick<Config, "PARLEY_DATA" | "PARLEY_STALE_DAYS" | "PARLEY_HOOK_SECRET">;

/** Null where there is no database yet, or none that can be read, which another line says. */
export const answersFinding = (config: Known, now = Date.now()): Finding | null => {
  const { PARLEY_DATA: directory, PARLEY_STALE_DAYS: days, PARLEY_HOOK_SECRET: secret } = config;
  if (days === 0) return ok("answers", "not held to their branches (PARLEY_STALE_DAYS is 0)");
  if (!existsSync(join(directory, "parley.sqlite"))) return null;
  const opened = openStoreForReading(directory);
  if (opened.kind === "failed") return null;
  const all = opened.answers.answersPage(now - days * DAY, null, Number.POSITIVE_INFINITY);
  opened.store.close();
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
