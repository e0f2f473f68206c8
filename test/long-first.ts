/** The order of the files where it is not known how long each took: one that takes long does not begin last and run alone. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A feature that is removed has no tests. */
const isThere = (name: string): boolean => {
  const [top = "", feature = ""] = name.split("/");
  return top !== "features" || existsSync(join(import.meta.dirname, top, feature));
};

/** Each takes more than fifteen seconds on CI's two cores; the longest come first. */
const LONG = [
  "threads/threads",
  "threads/drafts",
  "crash/crash",
  "workspace/idle",
  "workspace/drafts",
  "features/test-environment/surroundings",
  "workspace/checkout-transfer",
  "removal",
  "crash/kill",
  "features/cluster/crash/fleet",
  "features/forge/tools/merge",
  "features/console/browser/proxied",
  "features/forge/tools/propose",
  "features/forge/crash/tended",
  "features/forge/crash/merging",
  "docs/commands",
  "e2e/canaries",
  "features/forge/crash/faults",
  "workspace/draft-kinds",
  "workspace/drafts-exact",
  "features/forge/tools/writes",
  "crash/drafts/drafts",
  "e2e/setup",
  "app/cli/setup/refusals",
  "e2e/turns",
  "features/forge/tend/people",
  "features/forge/tend/bounds",
  "features/test-environment/threads",
  "features/console/browser/first-light",
  "features/console/browser/field",
  "features/console/browser/console",
  "features/providers/e2e/providers",
  "features/cluster/crash/upgrade",
  "features/cluster/database/unknown",
  "workspace/like-plain-git",
  "workspace/mirror/remote",
  "workspace/set-up",
  "e2e/planted-features",
  "features/forge/crash/story",
  "features/forge/crash/kill",
  "packaging/package",
  "crash/faults",
  "crash/browser",
  "crash/drain",
  "linear/linear",
  "soak/soak",
  "crash/platforms/discord",
  "crash/platforms/disk",
  "threads/acceptance",
  "crash/storm/storm",
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
