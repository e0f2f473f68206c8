/** What doctor says of posted answers that are held to their branches. */

import type { SetFeature } from "../../../feature.ts";
import type { Config } from "../../settings/config.ts";
import { DAY } from "../../../machine/id.ts";
import { readStored } from "../with-stored.ts";
import { type Finding, ok } from "../../../ports/finding.ts";

type Known = Pick<Config, "PARLEY_DATA" | "PARLEY_STALE_DAYS"> & {
  readonly features: readonly Pick<SetFeature, "hearsPushes">[];
};

export function* answersFindings(config: Known, now = Date.now()): Generator<Finding> {
  const { PARLEY_DATA: directory, PARLEY_STALE_DAYS: days, features } = config;
  if (days === 0) return yield ok("answers", "not held to their branches (PARLEY_STALE_DAYS is 0)");
  const all = readStored(directory, ({ answers }) =>
    answers.answersPage(now - days * DAY, null, Number.POSITIVE_INFINITY),
  );
  if (all === null) return;
  const changed = all.filter(({ standing }) => standing === "changed").length;
  const pushes = features.some(({ hearsPushes }) => hearsPushes)
    ? ", and at once where the forge sends pushes"
    : "";
  yield ok(
    "answers",
    `${all.length} of the last ${days} days, ${changed} cite what has changed; looked at every ten minutes${pushes}`,
  );
}
