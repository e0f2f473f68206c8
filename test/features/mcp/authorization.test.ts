/** A refresh token of the operator's: renewed while nobody is there, kept where it is another one since, and never told. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { scratch } from "../../scratch.ts";
import { createIssuer, type Issuer } from "./issuer.ts";
import { openWeb } from "./web.ts";
import { accepted, createWorld, entryOf, openSandbox, type World } from "./world.ts";
import { MOST_WAIT } from "../../patience.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const GIVEN = "refresh-token-of-the-operator";
const READS = ["echo", "trigger-long-running-operation"];

interface Scene {
  readonly issuer: Issuer;
  readonly data: string;
  /** A host as it starts, with the token that the operator's file holds. */
  readonly start: (token?: string) => Promise<World>;
}

const scene = async (): Promise<Scene> => {
  const issuer = createIssuer(GIVEN);
  const url = await openWeb(issuer.door);
  const data = scratch("mcp-data");
  const start = (refreshToken = GIVEN): Promise<World> => {
    const oauth = { issuer: new URL(url).origin, clientId: "parley", refreshToken };
    const way = { kind: "http", url, headers: {}, oauth } as const;
    return accepted(createWorld(sandbox, [entryOf("web", way, { reads: READS })], { data }));
  };
  return { issuer, data, start };
};

const echo = (world: World, message: string) => world.call("web", "echo", { message });

test("a call that is turned away is made again with a renewed token, which is kept for this user alone", async () => {
  const { issuer, data, start } = await scene();
  const world = await start();
  issuer.expire();
  expect((await echo(world, "again")).text).toContain("| Echo: again");
  const path = join(data, "mcp/web.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8")).toContain(issuer.given.at(-2));
  // The operator's own token is worth nothing by now.
  expect((await echo(await start(), "after a restart")).text).toContain("| Echo: after a restart");
});

test("calls that are turned away together share one renewal", async () => {
  const { issuer, start } = await scene();
  const world = await start();
  const before = issuer.given.length;
  issuer.expire();
  const all = await Promise.all(["one", "two", "three"].map((message) => echo(world, message)));
  expect(all.map(({ isError }) => isError)).toEqual([false, false, false]);
  expect(issuer.given.length - before).toBe(2);
});

test("a token that ends while a call runs does not end the call", async () => {
  const { issuer, start } = await scene();
  const world = await start();
  const renewals = issuer.given.length;
  const long = world.call("web", "trigger-long-running-operation", { duration: 2, steps: 4 });
  const before = issuer.answered();
  await vi.waitFor(() => expect(issuer.answered()).toBeGreaterThan(before));
  issuer.expire();
  expect((await echo(world, "meanwhile")).isError).toBe(false);
  expect((await long).text).toContain("Long running operation completed");
  expect(issuer.given.length).toBeGreaterThan(renewals);
});

test("no token is told to the model or written to the log or the console", async () => {
  const written: string[] = [];
  vi.spyOn(console, "warn").mockImplementation((...words) => written.push(words.join(" ")));
  const { issuer, start } = await scene();
  const world = await start();
  const told = [await echo(world, `${issuer.access()} and ${GIVEN}`), await world.list("web")];
  expect(told[0]?.text).toContain("| Echo: *** and ");
  issuer.expire();
  told.push(await (await start("refresh-token-revoked")).list("web"));
  vi.restoreAllMocks();
  const all = [...told.map(({ text }) => text), ...world.logged, ...written].join("\n");
  for (const token of [...issuer.given, "refresh-token-revoked"].filter((one) => one !== GIVEN))
    expect(all).not.toContain(token);
});

test("a refused token is told with what to do, nothing is in doubt, and another one of the operator's counts at once", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { issuer, start } = await scene();
  const world = await start();
  const usable = issuer.given.at(-2) ?? "";
  const revoked = await start("refresh-token-revoked");
  expect((await revoked.list("web")).text).toMatch(
    /refused the refresh token \(invalid_grant\): create a new one as in docs\/mcp.md/,
  );
  expect((await echo(await start(usable), "new")).text).toContain("| Echo: new");
  issuer.expire();
  // The server still has the earlier token.
  const called = await world.servers.call("web", "echo", { message: "x" }, AbortSignal.timeout(MOST_WAIT));
  expect(called).toMatchObject({ kind: "failed", perhaps: false });
  vi.restoreAllMocks();
});
