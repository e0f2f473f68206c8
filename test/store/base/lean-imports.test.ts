/** Compiled code does not stay in memory a second time. In a process of its own, because Node's compile cache is the process's. */

import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../../app/cli/host.ts";
import { scratch } from "../../scratch.ts";

const MODULES = 150;

/** Files in the compile cache when all modules are loaded: what is written Node lets go of. */
const writtenMeanwhile = async (before: string): Promise<number> => {
  const folder = scratch("imports");
  for (let no = 0; no < MODULES; no++) writeFileSync(join(folder, `${no}.mjs`), `export const no = ${no};`);
  const cache = join(folder, "cache");
  const program = `
    import { enableCompileCache } from "node:module";
    import { readdirSync } from "node:fs";
    import { leanImports } from ${JSON.stringify(join(root, "src/store/base/lean-imports.ts"))};
    enableCompileCache(${JSON.stringify(cache)});
    ${before}
    for (let no = 0; no < ${MODULES}; no++) await import(${JSON.stringify(`${folder}/`)} + no + ".mjs");
    console.log(readdirSync(${JSON.stringify(cache)}, { recursive: true }).length);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  // All of it is there in the end, whoever wrote it.
  expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(MODULES);
  return Number(stdout);
};

it("what Node has of its compile cache is let go of while modules are loaded", async () => {
  expect(await writtenMeanwhile("leanImports();")).toBeGreaterThanOrEqual(100);
});

it("by itself Node keeps it until the end", async () => {
  expect(await writtenMeanwhile("")).toBeLessThan(10);
});
