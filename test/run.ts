/**
 * npm test: the whole suite, then one plain line `N passed, N failed, N skipped`. A file named on the command line
 * narrows it. Exit status 1 when anything failed or nothing ran.
 */

import type { TestModule } from "vitest/node";
import { startVitest } from "vitest/node";
import { moveToMemory } from "./memory.ts";

if (process.env["CI"] === "true") moveToMemory();

const vitest = await startVitest("test", process.argv.slice(2), { watch: false, run: true });
const modules = vitest.state.getTestModules();
const tests = modules.flatMap((module) => [...module.children.allTests()]);
const count = (state: "passed" | "failed" | "skipped"): number =>
  tests.filter((test) => test.result().state === state).length;

for (const module of modules) for (const error of moduleErrors(module)) console.error(error);
const unhandled = vitest.state.getUnhandledErrors().length;
const broken = modules.filter((module) => moduleErrors(module).length > 0).length + unhandled;
await vitest.close();

const failed = count("failed") + broken;
const passed = count("passed");
console.log(`${passed} passed, ${failed} failed, ${count("skipped")} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

/** A file that could not be collected counts as a failure, not as nothing. */
function moduleErrors(module: TestModule): readonly string[] {
  return module.errors().map((error) => `${module.moduleId}: ${error.message}`);
}
