/** What doctor says of several hosts: a database that is not there, a directory that is not mounted. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fleetFindings } from "../../../src/features/cluster/findings.ts";
import { REGION, startS3 } from "../../fakes/s3/store.ts";
import { scratch } from "../../scratch.ts";
import { linesOf } from "../../app/cli/doctor/findings.ts";
import { configured } from "./configured.ts";

const data = scratch("doctor-fleet");
const away = { PARLEY_DATA: data, PARLEY_DATABASE: `postgres:///parley?host=${data}&user=parley` };
const lines = (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const { settings, core } = configured(env);
  return linesOf(fleetFindings(settings, core));
};

it("says nothing of a host that is alone", async () => {
  expect(await lines({ PARLEY_DATA: data })).toEqual([]);
});

it("names what is missing, and what to do about each", async () => {
  const [database, shared, token, ...more] = await lines({
    ...away,
    PARLEY_SHARED_STORAGE: join(data, "unmounted"),
  });
  expect(database).toMatch(/^error database: The database of PARLEY_DATABASE does not answer .* -> /);
  expect(shared).toMatch(
    /^error shared directory: .*unmounted is not a directory.* -> Mount the directory on every host/,
  );
  expect(token).toMatch(
    /^warning console token: .* -> Set PARLEY_CONSOLE_TOKEN to the same value on all hosts\.$/,
  );
  expect(more).toEqual([]);
});

it("warns where nothing is shared, and where what is shared goes with the host", async () => {
  const token = { PARLEY_CONSOLE_TOKEN: "sixteen-characters" };
  expect((await lines({ ...away, ...token, PARLEY_SHARED_STORAGE: "none" }))[1]).toMatch(
    /^warning shared directory: none; /,
  );
  mkdirSync(join(data, "shared"));
  expect((await lines({ ...away, ...token, PARLEY_SHARED_STORAGE: join(data, "shared") }))[1]).toMatch(
    /^warning shared directory: .* is on the disk of PARLEY_DATA -> /,
  );
});

it("tries a bucket that hosts share, and names what is wrong with it and what to do", async () => {
  const s3 = await startS3();
  onTestFinished(() => s3.close());
  const bucket = {
    ...away,
    PARLEY_SHARED_STORAGE: "s3://team/parley",
    PARLEY_SHARED_ENDPOINT: s3.url,
    PARLEY_SHARED_REGION: REGION,
  };
  const { accessKeyId: access, secretAccessKey: secret } = s3.keys;
  const usual = {
    AWS_ACCESS_KEY_ID: access,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_SESSION_TOKEN: s3.keys.sessionToken,
  };
  const found = async (env: Readonly<Record<string, string>>) =>
    (await lines({ ...bucket, ...env }))[1] ?? "";
  expect(await found(usual)).toBe("ok shared bucket: s3://team/parley can be written, read and cleared");
  expect(await found({})).toMatch(
    /^error shared bucket: PARLEY_SHARED_STORAGE: the bucket has no keys.* -> Correct it/,
  );
  expect(await found({ ...usual, AWS_SECRET_ACCESS_KEY: "hush-hush" })).toMatch(
    /^error .*correct PARLEY_SHARED_SECRET_KEY/,
  );
  expect(await found({ ...usual, PARLEY_SHARED_STORAGE: "s3://teem" })).toMatch(
    /^error .*the bucket teem does not exist: create the bucket, or correct/,
  );
  expect(await found({ ...usual, PARLEY_SHARED_REGION: "us-east-1" })).toMatch(
    /^error .*: set PARLEY_SHARED_REGION/,
  );
  s3.shift(-3_600_000);
  expect(await found(usual)).toMatch(/^error .*clock of this host is 60 min ahead of .*: correct the clock/);
  s3.shift(0);
  s3.fail({ kind: "answer", status: 403, code: "AccessDenied" }, { method: "DELETE" });
  expect(await found(usual)).toMatch(/^error .*: allow the key to read, write, remove and list/);
});

it("never repeats a password that it cannot read or use", async () => {
  writeFileSync(join(data, "empty"), "\n");
  const empty = {
    ...away,
    PARLEY_SHARED_STORAGE: "none",
    PARLEY_DATABASE_PASSWORD_FILE: join(data, "empty"),
  };
  expect((await lines(empty))[0]).toContain("empty is empty -> Correct it");
  const wrong = { ...away, PARLEY_SHARED_STORAGE: "none", PARLEY_DATABASE_PASSWORD: "hush-hush-hush" };
  expect((await lines(wrong)).join("\n")).not.toContain("hush");
});
