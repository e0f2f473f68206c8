/** The order of the files where it is not known how long each took: one that takes long does not begin last and run alone. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A feature that is removed has no tests. */
const isThere = (name: string): boolean => {
  const [top = "", feature = ""] = name.split("/");
  return top !== "features" || existsSync(join(import.meta.dirname, top, feature));
};

/** Each takes more than fifteen seconds on CI's two cores. */
const LONG = [
  "crash/kill",
  "threads/threads",
  "features/forge/crash/faults",
  "features/cluster/crash/fleet",
  "features/cluster/crash/upgrade",
  "linear/linear",
  "e2e/canaries",
  "crash/faults",
  "crash/platforms/disk",
  "features/providers/e2e/providers",
  "crash/crash",
  "docs/commands",
  "workspace/drafts-exact",
  "crash/browser",
  "crash/storm/storm",
  "e2e/turns",
  "features/forge/crash/kill",
  "features/forge/crash/story",
  "features/forge/crash/merging",
  "crash/drain",
  "threads/acceptance",
  "features/console/browser/first-light",
  "soak/soak",
  "crash/platforms/discord",
]
  .filter((name) => isThere(name))
  .map((name) => join(import.meta.dirname, `${name}.test.ts`));

for (const file of LONG) if (!existsSync(file)) throw new Error(`long-first.ts names ${file}, which is gone`);

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's method, which copies
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Those of another project stay before them: one worker runs its files with the modules that it has loaded. */
const rank = ({ moduleId, project }: TestSpecification): number => {
  if (project.name !== "together") return -1;
  const no = LONG.indexOf(moduleId);
  return no === -1 ? LONG.length : no;
};
