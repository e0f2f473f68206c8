/** What processes that are ended work on: a project on the wire-level forge, and the operator's file that names it. */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { entryOf, type StorySide } from "../../fakes/side.ts";
import { sampleRepo } from "../../sample-repo.ts";
import { scratch } from "../../scratch.ts";

export const PROJECT = "acme/api";

type Needed = Pick<StorySide, "kind" | "host" | "api" | "url" | "token" | "signIn" | "open" | "close">;

/** `source`: what the project holds; unset: a small repository. */
export const createForge = async <Made extends Needed>(createSide: () => Promise<Made>, source?: string) => {
  const root = scratch("forge-kill");
  mkdirSync(join(root, "acme"));
  const bare = join(root, `${PROJECT}.git`);
  execFileSync("git", ["clone", "-q", "--bare", source ?? (await sampleRepo("# Sample\n")), bare]);
  const forge = await createSide();
  onTestFinished(() => forge.close());
  forge.open(PROJECT, root);
  const file = join(root, "forges.json");
  writeFileSync(file, JSON.stringify({ forges: [entryOf(forge, PROJECT)] }));
  chmodSync(file, 0o600);
  return { forge, bare, file };
};
