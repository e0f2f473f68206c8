import { chmodSync, cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { locateLauncher, PREBUILT } from "../../sandbox/locate.ts";
import { root } from "../app/cli/host.ts";
import { scratch } from "../scratch.ts";

/** What AppArmor makes of the path of a profile: `**` any folders, `*` within one, `{a,b}` either. */
const pathsOf = (profile: string): RegExp => {
  const glob = /^profile parley-launcher (\S+) flags=\(unconfined\) \{\n {2}userns,\n\}$/m.exec(profile)?.[1];
  if (glob === undefined) throw new Error("the profile is written in another way");
  const parts: Readonly<Record<string, string>> = {
    "**": ".*",
    "*": "[^/]*",
    "{": "(?:",
    ",": "|",
    "}": ")",
    ".": "\\.",
  };
  return new RegExp(`^${glob.replaceAll(/\*\*|[*{,}.]/g, (found) => parts[found] ?? found)}$`);
};

it("the AppArmor profile names the launcher wherever it is run from: as shipped, and copied out of a loose clone", async () => {
  const paths = pathsOf(readFileSync(join(root, "deploy/parley-launcher.apparmor"), "utf8"));
  expect(join(PREBUILT, "linux-x64/parley-launcher")).toMatch(paths);
  const loose = join(scratch("apparmor"), "prebuilt");
  cpSync(PREBUILT, loose, { recursive: true });
  const shipped = join(loose, `linux-${process.arch}`, "parley-launcher");
  chmodSync(shipped, 0o775);
  const located = await locateLauncher(join(scratch("apparmor-data"), "bin"), loose);
  const path = located.kind === "found" ? located.path : located.reason;
  expect(path).not.toBe(shipped);
  expect(path).toMatch(paths);
  expect("/home/ann/bin/bash").not.toMatch(paths);
});
