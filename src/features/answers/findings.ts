import type { DoctorCore } from "../../feature.ts";
import { DAY } from "../../machine/id.ts";
import { type Finding, ok } from "../../ports/finding.ts";
import type { AnswersSettings } from "./settings.ts";

export function* answersFindings(
  { PARLEY_STALE_DAYS: days }: Pick<AnswersSettings, "PARLEY_STALE_DAYS">,
  { stored, receivesPushes }: Pick<DoctorCore, "stored" | "receivesPushes">,
  now = Date.now(),
): Generator<Finding> {
  if (days === 0) return yield ok("answers", "not rechecked (PARLEY_STALE_DAYS is 0)");
  const all = stored(({ answers }) => answers.answersPage(now - days * DAY, null, Number.POSITIVE_INFINITY));
  if (all === null) return;
  const changed = all.filter(({ standing }) => standing === "changed").length;
  const pushes = receivesPushes ? ", and at once if the forge sends pushes" : "";
  yield ok(
    "answers",
    `${all.length} of the last ${days} days, ${changed} cite changed code; rechecked every ten minutes${pushes}`,
  );
}
