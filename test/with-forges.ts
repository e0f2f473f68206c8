/** What a host has of forges, for tests of the whole: they take it from the list of features and import none of them. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FEATURES } from "../src/app/features/list.ts";
import { readFeatures } from "../src/app/features/open.ts";
import { readingWith } from "../src/app/outward.ts";

/** `entries`: of the file that PARLEY_FORGES names; none: the host has no such file. */
export const withForges = (...entries: readonly object[]) => withForgesIn({}, ...entries);

/** `env`: other settings of features. */
export const withForgesIn = async (env: Readonly<Record<string, string>>, ...entries: readonly object[]) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-forges-"));
  const file = join(folder, "forges.json");
  writeFileSync(file, JSON.stringify({ forges: entries }), { mode: 0o600 });
  const given = entries.length === 0 ? env : { ...env, PARLEY_FORGES: file };
  const set = FEATURES.map((one) => one.set(given));
  const features = set.flatMap((one) => (one.kind === "set" ? [one.feature] : []));
  const read = await readFeatures(features, readingWith({ otherKeys: {} }));
  rmSync(folder, { recursive: true });
  if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
  return read;
};
