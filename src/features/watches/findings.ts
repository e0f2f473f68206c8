import type { DoctorCore } from "../../feature.ts";
import { type Finding, warning } from "../../ports/finding.ts";
import type { Watch } from "./store/watches.ts";
import { createReadWatches } from "./store/rows.ts";

/** `secret`: PARLEY_HOOK_SECRET. */
export function* hookFindings(
  secret: string | undefined,
  { stored, log }: Pick<DoctorCore, "stored" | "log">,
): Generator<Finding> {
  if (secret !== undefined) return;
  // If the watches cannot be read, doctor reports that separately.
  const hooked = stored(({ rows }) => createReadWatches(rows, log)().filter(isHooked).length) ?? 0;
  if (hooked > 0)
    yield warning(
      "webhooks",
      `none are accepted, but ${hooked === 1 ? "a watch waits" : `${hooked} watches wait`} for them`,
      "Set PARLEY_HOOK_SECRET (docs/watch.md), or remove the watches with /parley unwatch NAME.",
    );
}

const isHooked = ({ source: { kind } }: Watch): boolean => kind === "hook" || kind === "forge";
