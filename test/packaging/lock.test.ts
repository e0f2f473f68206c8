/** What an old npm makes of the lock file: the Node that counts comes along as a package. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { root } from "../cli/host.ts";

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
