/**
 * Connected people on two hosts that share a real PostgreSQL: a refresh token is used once, both hosts get the new token, and
 * the database has the tokens sealed.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { FEATURES } from "../../../../src/app/features/list.ts";
import { systemClock } from "../../../../src/app/system-clock.ts";
import type { PersonId } from "../../../../src/machine/id.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { writeShared } from "../../../../src/store/write/writer.ts";
import { sharedPostgres } from "../../../fakes/postgres.ts";
import { openStore } from "../../../store/open-store.ts";
import { scratch } from "../../../scratch.ts";
import { KEY, onFakeGitHub, onFakeGitLab, otherKey, type PeopleHost, peopleScene } from "./world.ts";

const BOB: PersonId = "slack:U1";
const postgres = await sharedPostgres();
const cluster = FEATURES.find(({ name }) => name === "cluster");
if (cluster === undefined) console.log("skipped: this copy has no hosts that share a database");

/** A host that has joined the database, as the program joins. */
const member = async (address: string, name: string) => {
  const set = cluster?.set({
    PARLEY_DATABASE: address,
    PARLEY_HOST_NAME: name,
    PARLEY_SHARED_STORAGE: "none",
  });
  if (set?.kind !== "set") throw new Error(JSON.stringify(set));
  const data = join(scratch("fleet"), name);
  mkdirSync(data, { recursive: true });
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const joined = await set.feature.join({
    version: "1",
    data,
    amazon: {
      region: undefined,
      accessKeyId: undefined,
      secretAccessKey: undefined,
      sessionToken: undefined,
    },
    log: silentLog,
    console: { address: "127.0.0.1", port: 0 },
    preload: () => Promise.resolve(),
    leaving: leaving.signal,
  });
  if (joined.kind !== "joined") throw new Error(JSON.stringify(joined));
  const opened = openStore(data, silentLog, writeShared(joined.writing), joined.lock);
  if (opened.kind === "failed") throw new Error(opened.message);
  onTestFinished(() => opened.store.close());
  const settled = await joined.settle({ ...opened, clock: systemClock, log: silentLog });
  if (settled.kind === "failed") throw new Error(settled.message);
  // A host that stays watches each request of the process, also in the test files after this one.
  onTestFinished(() => settled.membership.leave());
  return opened;
};

const stored = async (address: string): Promise<string> => {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT body::text FROM parley.rows WHERE tbl = 'forge_people'");
    return JSON.stringify(rows);
  } finally {
    await client.end();
  }
};

const OFTEN = { interval: 50, timeout: 60_000 };

it.skipIf(postgres === null || cluster === undefined).each([
  { name: "GitHub", onFake: onFakeGitHub },
  { name: "GitLab", onFake: onFakeGitLab },
])(
  "two hosts renew a token of $name once, and their database has it sealed",
  async ({ onFake }) => {
    const address = (await postgres?.create()) ?? "";
    const [a, b] = [await member(address, "one"), await member(address, "two")];
    const scene = await peopleScene(onFake, a);
    const [one, two] = [scene.host(), scene.host(() => KEY, b)];
    const [client] = one.own.clients;
    if (client === undefined) throw new Error("nobody can connect");
    await one.connect(BOB);
    await expect.poll(() => two.own.account(BOB, client.host)?.login, OFTEN).toBe("octocat");
    const { pairs, lasts } = scene.fake.signIn;
    scene.clock.advance(lasts.access * 1_000 - 60_000);

    let isOver = false;
    const asked = Promise.all([one, two].map((host: PeopleHost) => host.tokens.token(BOB, client))).finally(
      () => {
        isOver = true;
      },
    );
    const passes = (): boolean => {
      scene.clock.advance(100);
      return isOver;
    };
    await expect.poll(passes, OFTEN).toBe(true);
    const tokens = await asked;
    expect(pairs).toHaveLength(2);
    const newest = pairs.at(-1)?.access;
    for (const token of tokens) expect(token).toMatchObject({ kind: "token", token: newest });

    const rows = await stored(address);
    expect(rows).toContain("octocat");
    for (const { access, refresh } of pairs) {
      expect(rows).not.toContain(access);
      expect(rows).not.toContain(refresh);
    }
    expect(await scene.host(otherKey, b).tokens.token(BOB, client)).toEqual({ kind: "none" });
    await Promise.all([one.leave(), two.leave()]);
  },
  180_000,
);
