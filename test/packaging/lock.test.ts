/** What an old npm makes of the lock file: the Node that counts comes along as a package. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { lockProblems } from "../../packaging/production.ts";
import { root } from "../app/cli/host.ts";

const locked = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      optional: z.boolean().optional(),
      os: z.unknown().optional(),
      cpu: z.unknown().optional(),
      engines: z.unknown().optional(),
    }),
  ),
});

it("no package for one platform names the Node that it wants: npm on Debian's Node 18 would leave it out without a word", () => {
  const { packages } = locked.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const platform = Object.entries(packages).filter(
    ([, { optional, os, cpu }]) => optional === true && (os !== undefined || cpu !== undefined),
  );
  expect(platform.length).toBeGreaterThan(10);
  const picky = platform.filter(([, { engines }]) => engines !== undefined).map(([name]) => name);
  expect(picky, "take `engines` out of these in package-lock.json").toEqual([]);
});

it("every package has a checksum, none is deprecated, and none but two that come built has a script for its installation", () => {
  expect(lockProblems(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")))).toEqual([]);
  const integrity = `sha512-${"A".repeat(86)}==`;
  const of = (change: object): readonly string[] =>
    lockProblems({
      packages: { "node_modules/a/node_modules/b": { version: "1.2.3", integrity, ...change } },
    });
  expect(of({})).toEqual([]);
  expect(of({ integrity: undefined })).toEqual(["b 1.2.3 has no sha512 checksum"]);
  expect(of({ integrity: "sha1-AAAA" })).toEqual(["b 1.2.3 has no sha512 checksum"]);
  expect(of({ version: "git+ssh://git@example.org/b.git" })).toHaveLength(1);
  expect(of({ deprecated: "use c" })).toEqual(["b 1.2.3 is deprecated: use c"]);
  expect(of({ hasInstallScript: true, dev: true })).toEqual([]);
  expect(of({ hasInstallScript: true })).toEqual(["b 1.2.3 runs a script at installation"]);
});

it("every script that needs Node takes the one that came along, also where PATH has another first", () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  expect(Object.values(scripts).filter((script) => /(^|&& )node /.test(script))).toEqual([]);
  const version = execFileSync(join(root, "bin/node.sh"), ["-p", "process.version"], {
    env: { PATH: "/usr/bin:/bin" },
    encoding: "utf8",
  });
  expect(Number(/^v(\d+)/.exec(version)?.[1])).toBeGreaterThanOrEqual(24);
});
