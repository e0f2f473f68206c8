/**
 * npm test: the whole suite, then one plain line `N passed, N failed, N skipped`. A file named on the command line
 * narrows it. Exit status 1 when anything failed or nothing ran.
 *
 * The run has a temporary folder of its own. A test that leaves a file there is named at the end and fails the run.
 */

import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { TestModule } from "vitest/node";
import { startVitest } from "vitest/node";
import { moveToMemory } from "./memory.ts";
import { BUILDS } from "./scratch.ts";

if (process.env["CI"] === "true") moveToMemory();

const folder = mkdtempSync(join(tmpdir(), "parley-"));
// Commands under other user ids pass through it.
chmodSync(folder, 0o1777);
process.env["TMPDIR"] = folder;
const inMemory = process.env["TEST_MEMORY"];

const vitest = await startVitest("test", process.argv.slice(2), { watch: false, run: true });
const modules = vitest.state.getTestModules();
const tests = modules.flatMap((module) => [...module.children.allTests()]);
const count = (state: "passed" | "failed" | "skipped"): number =>
  tests.filter((test) => test.result().state === state).length;

for (const module of modules) for (const error of moduleErrors(module)) console.error(error);
const unhandled = vitest.state.getUnhandledErrors().length;
const broken = modules.filter((module) => moduleErrors(module).length > 0).length + unhandled;
await vitest.close();

const places = [folder, ...(inMemory === undefined ? [] : [inMemory])];
/** Made once for all files of the run: programs of the attacks, and compiled code that Node keeps by itself. */
const shared = [BUILDS, "node-compile-cache"];
const leftFiles = (): readonly string[] =>
  places.flatMap((path) => readdirSync(path)).filter((name) => !shared.includes(name));
// Servers that a worker started end with the worker and then remove their folders.
for (let tries = 0; tries < 100 && leftFiles().length > 0; tries += 1) await setTimeout(100);
const left = leftFiles();
if (left.length > 0) console.error(`left in the temporary folder: ${left.join(", ")}`);
rmSync(folder, { recursive: true, force: true, maxRetries: 10 });

const failed = count("failed") + broken + left.length;
const passed = count("passed");
console.log(`${passed} passed, ${failed} failed, ${count("skipped")} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

/** A file that could not be collected counts as a failure, not as nothing. */
function moduleErrors(module: TestModule): readonly string[] {
  return module.errors().map((error) => `${module.moduleId}: ${error.message}`);
}
