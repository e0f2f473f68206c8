/**
 * Connected people on two hosts that share a real PostgreSQL: a refresh token is used once, both hosts get the new token, and
 * the database has the tokens sealed.
 */

import pg from "pg";
import { expect, it } from "vitest";
import type { PersonId } from "../../../../src/machine/id.ts";
import { sharedPostgres } from "../../../fakes/postgres.ts";
import { hasFleets, joinFleet } from "../fleet-host.ts";
import { KEY, onFakeGitHub, onFakeGitLab, otherKey, type PeopleHost, peopleScene } from "./world.ts";

const BOB: PersonId = "slack:U1";
const postgres = await sharedPostgres();

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

it.skipIf(postgres === null || !hasFleets).each([
  { name: "GitHub", onFake: onFakeGitHub },
  { name: "GitLab", onFake: onFakeGitLab },
])(
  "two hosts renew a token of $name once, and their database has it sealed",
  async ({ onFake }) => {
    const address = (await postgres?.create()) ?? "";
    const { opened: a } = await joinFleet(address, "one");
    const { opened: b } = await joinFleet(address, "two");
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
