/**
 * The protocol's own conformance suite for clients, against Parley's connection. The scenarios left out want a person who
 * signs in with a browser, or a signed assertion of the client: Parley has client credentials and fixed headers.
 */

import { execa } from "execa";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { scratch } from "../../scratch.ts";

const root = resolve(import.meta.dirname, "../../..");

const run = async (scenario: string): Promise<readonly string[]> => {
  const { all } = await execa({
    cwd: root,
    reject: false,
    all: true,
  })(process.execPath, [
    join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
    "client",
    "--command",
    `${process.execPath} test/tools/mcp/conformance-client.ts`,
    "--scenario",
    scenario,
    "--output-dir",
    scratch("conformance"),
  ]);
  return [...all.matchAll(/^Passed: \S+, \d+ failed, \d+ warnings$|OVERALL: \w+|Expected action .*$/gm)].map(
    ([line]) => line,
  );
};

it.concurrent.each([
  ["initialize", "Passed: 1/1, 0 failed, 0 warnings"],
  ["tools_call", "Passed: 1/1, 0 failed, 0 warnings"],
  ["sse-retry", "Passed: 3/3, 0 failed, 0 warnings"],
  ["auth/client-credentials-basic", "Passed: 10/10, 0 failed, 0 warnings"],
])("%s passes", { timeout: 60_000 }, async (scenario, passed) => {
  expect(await run(scenario)).toEqual([passed, "OVERALL: PASSED"]);
});

it("a server that asks for input is declined, which the suite's scenario of defaults counts as a failure", async () => {
  expect(await run("elicitation-sep1034-client-defaults")).toContain(
    "Expected action 'accept', got 'decline'",
  );
}, 60_000);
