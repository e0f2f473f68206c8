/** A disk that is full while a draft is opened, proposed, tested or applied: it is said, nothing is half done, and all goes on with room. */

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratch } from "../scratch.ts";
import type { Told } from "./draft-full-child.ts";

const MOUNT = 'mount -t tmpfs -o size=32m,mode=0755 tmpfs "$0" && exec "$@"';
const inside = (directory: string, ...command: readonly string[]) =>
  spawnSync("unshare", ["-m", "sh", "-c", MOUNT, directory, ...command], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], TMPDIR: directory },
  });
const tried = inside("/mnt", "true");
const refusal = tried.status === 0 ? null : (tried.stderr ?? "there is no unshare").trim();
if (refusal !== null) console.log(`skipped: no file system of its own can be mounted here: ${refusal}`);

it.skipIf(refusal !== null)("on a full disk nothing is half done, and it is said", () => {
  const directory = join(scratch("draft-full"), "data");
  mkdirSync(directory);
  const ran = inside(directory, process.execPath, join(import.meta.dirname, "draft-full-child.ts"));
  if (ran.stdout === "") throw new Error(ran.stderr);
  const told: readonly Told[] = JSON.parse(ran.stdout);
  for (const [index, { opened, sealed, test, left, applied }] of told.entries()) {
    const below = index === 0 ? "own" : "b";
    expect([opened, sealed, left]).toEqual([NO_SPACE, NO_SPACE, []]);
    // The command is told by the kernel; its copy goes, and the rest has room again.
    expect(test).toEqual([0, ["full", "one", "two"]]);
    const before = `one\n${below}\na.txt\nb.txt`;
    const [shown, ...tries] = applied;
    expect(shown).toEqual(["sealed", before]);
    expect(tries.length).toBeGreaterThan(2);
    expect(tries.at(-1)).toEqual(["applied", `one\ntwo\n${below}\na.txt\nb.txt\nd.bin`]);
    for (const each of tries.slice(0, -1)) expect(each).toEqual([NO_SPACE, before]);
  }
});

const NO_SPACE =
  "There is no space left on this machine for the draft. The operator has to free some space; then ask again.";
