/** What doctor says of MCP servers: each is begun in the real sandbox and asked for its tools. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { reachOf } from "../../../src/app/outward.ts";
import { mcp } from "../../../src/features/mcp/feature.ts";
import { scratch } from "../../scratch.ts";
import { createIssuer } from "./issuer.ts";
import { openWeb } from "./web.ts";
import { openSandbox, real } from "./world.ts";
import { linesOf, NOTHING_EXAMINED } from "../../app/cli/doctor/findings.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const fileOf = (mcpServers: object): string => {
  const path = join(scratch("doctor-mcp"), "mcp.json");
  writeFileSync(path, JSON.stringify({ mcpServers }));
  return path;
};

const linesFor = (path: string) => linesWith({ PARLEY_MCP: path });

const linesWith = (settings: Readonly<Record<string, string>>, data = scratch("doctor-data")) => {
  const set = mcp.set(settings);
  if (set.kind === "invalid") throw new Error("invalid");
  return linesOf(
    set.feature.findings({
      ...NOTHING_EXAMINED,
      sandbox,
      data,
      reach: reachOf({}),
    }),
  );
};

test("each is begun and its tools are counted; names that it has not, and one that is broken, are told", async () => {
  const { argv, paths } = real("everything", "stdio");
  const [command, ...args] = argv;
  const lines = await linesFor(
    fileOf({
      all: { command, args, paths, read: ["echo"] },
      wrong: { command, args, paths, read: ["echo", "ecko"] },
      broken: { command: "/usr/bin/nothing" },
    }),
  );
  expect(lines[0]).toMatch(/^ok +mcp: all: 1\d tools, 1 of them read-only$/);
  expect(lines[1]).toMatch(/^warning mcp: wrong: 1\d tools, 1 of them read-only; no tool named ecko/);
  expect(lines[2]).toMatch(/^error +mcp: broken: the program was not found in the sandbox/);
});

test("a refresh token that is refused is told with what to do, and one that is taken is kept for the start", async () => {
  const silent = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const issuer = createIssuer("refresh-token-of-the-operator");
  const url = await openWeb(issuer.door);
  const data = scratch("doctor-data");
  const linesOn = (refreshToken: string) => {
    const oauth = { issuer: new URL(url).origin, clientId: "parley", refreshToken };
    const PARLEY_MCP = fileOf({ web: { url, oauth, read: ["echo"] } });
    return linesWith({ PARLEY_MCP }, data);
  };
  const [refused = ""] = await linesOn("refresh-token-revoked");
  silent.mockRestore();
  expect(refused).toMatch(
    /^error +mcp: web: .* refused the refresh token \(invalid_grant\): create a new one/,
  );
  expect(refused).not.toContain("refresh-token-revoked");
  for (const _ of ["first", "again"])
    expect(await linesOn("refresh-token-of-the-operator")).toEqual([
      expect.stringMatching(/^ok +mcp: web: 1\d tools, 1 of them read-only$/),
    ]);
});

test("a file that keeps Parley from starting is told as such; no file, no word", async () => {
  expect(await linesFor(fileOf({ one: { comand: "x" } }))).toEqual([
    expect.stringMatching(/^error +mcp: .*"comand" is not a field of a server; did you mean command\?/),
    expect.stringMatching(/command or url is required/),
  ]);
  expect(await linesWith({})).toEqual([]);
});
