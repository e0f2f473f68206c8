/** What a host does before it is the active one: it waits, answers who is, and refuses what could only go wrong later. */

import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { standBy, type StoodBy } from "../../../../src/features/cluster/join/stand-by.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { type Postgres, startPostgres } from "../../../fakes/postgres.ts";
import { scratch } from "../../../scratch.ts";
import { configured } from "../configured.ts";
import { asked } from "../database/fleet.ts";

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.end());

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
  onTestFinished(() => void vi.restoreAllMocks());
});

const stands = (
  database: string,
  name: string,
  more: Readonly<Record<string, string>> = {},
): { readonly joined: Promise<StoodBy>; readonly leave: () => void } => {
  const env = {
    PARLEY_DATABASE: database,
    PARLEY_SHARED_STORAGE: "none",
    PARLEY_HOST_NAME: name,
    PARLEY_PORT: "0",
  };
  const { settings, core, console: listens } = configured({ ...env, PARLEY_DATA: scratch(name), ...more });
  const leaving = new AbortController();
  const { signal } = leaving;
  return {
    joined: standBy(settings, {
      ...core,
      console: listens,
      log: silentLog,
      preload: async () => undefined,
      leaving: signal,
    }),
    leave: () => leaving.abort(),
  };
};

const activeOf = async (joined: Promise<StoodBy>) => {
  const got = await joined;
  if (got.kind !== "active") throw new Error(JSON.stringify(got));
  onTestFinished(async () => {
    await got.member.leave();
    got.member.lock.release();
  });
  return got.member;
};

it("joins where no import is in the way; until then it says who is active; a name or a directory is one host's", async ({
  skip,
}) => {
  if (postgres === null) return skip();
  const database = await postgres.create();
  const data = scratch("one");
  const member = await activeOf(stands(database, "one", { PARLEY_DATA: data }).joined);
  expect(member.lease.isHeld()).toBe(true);
  expect(await member.hosts()).toMatchObject([{ name: "one", active: true, leads: true }]);
  await asked(database, "UPDATE parley.lease SET importing = '{}'");
  const second = stands(database, "two");
  await vi.waitFor(() => expect(said.at(-1)).toMatch(/^standing by: two on http/));
  const url = /http.*/.exec(said.at(-1) ?? "")?.[0] ?? "";
  await vi.waitFor(async () =>
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: "standby", active: "one" }),
  );
  expect(await stands(database, "three", { PARLEY_DATA: data }).joined).toEqual({
    kind: "failed",
    problems: [`another Parley process uses ${data}`],
  });
  expect(await stands(database, "one").joined).toEqual({
    kind: "failed",
    problems: [expect.stringMatching(/^Another host with the name one is running\. Set PARLEY_HOST_NAME /)],
  });
  const third = stands(database, "three");
  third.leave();
  expect(await third.joined).toEqual({ kind: "left" });
  await asked(database, "UPDATE parley.lease SET importing = NULL; NOTIFY parley_hosts, ''");
  expect((await activeOf(second.joined)).lease.isHeld()).toBe(true);
});

it("a password that cannot be read is said at once", async () => {
  const database = "postgres:///parley?host=/nowhere";
  const secret = { PARLEY_DATABASE_PASSWORD_FILE: join(scratch("password"), "none") };
  expect(await stands(database, "one", secret).joined).toMatchObject({
    kind: "failed",
    problems: [expect.stringMatching(/^PARLEY_DATABASE_PASSWORD_FILE cannot be read: /)],
  });
  const exposed = { PARLEY_DATABASE_PASSWORD_FILE: "/etc/hostname" };
  expect(await stands(database, "one", exposed).joined).toMatchObject({
    problems: [expect.stringMatching(/^PARLEY_DATABASE_PASSWORD_FILE: .* is in \/etc, which every command /)],
  });
});

it("a database that is away is waited for, and said once; to supervisors the host is well meanwhile", async () => {
  const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const waiting = stands(`postgres:///parley?host=${scratch("away")}`, "one");
  await vi.waitFor(() => expect(complaints).toHaveBeenCalledTimes(1));
  expect(complaints.mock.lastCall?.[0]).toMatch(
    /^waiting for the database: The database of PARLEY_DATABASE does not answer/,
  );
  const url = /http.*/.exec(said.at(-1) ?? "")?.[0] ?? "";
  const [well, ready] = await Promise.all(["healthz", "readyz"].map((path) => fetch(`${url}/${path}`)));
  expect([well?.status, ready?.status]).toEqual([200, 503]);
  expect(await well?.json()).toMatchObject({ status: "standby", active: null });
  waiting.leave();
  expect(await waiting.joined).toEqual({ kind: "left" });
});
