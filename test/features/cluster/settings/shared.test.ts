/** The place that hosts share: which one the settings name, with which keys, and what is wrong with it before a host begins. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openShared, readShared } from "../../../../src/features/cluster/settings/shared.ts";
import { REGION, startS3 } from "../../../fakes/s3/store.ts";
import { configured } from "../configured.ts";
import { scratch } from "../../../scratch.ts";

const data = scratch("shared-settings");
const database = { PARLEY_DATABASE: "postgres://parley@db.example/parley" };
const bucket = { ...database, PARLEY_SHARED_STORAGE: "s3://team/parley/" };
const own = { PARLEY_SHARED_ACCESS_KEY: "own", PARLEY_SHARED_SECRET_KEY: "own-secret" };
const amazons = {
  AWS_ACCESS_KEY_ID: "usual",
  AWS_SECRET_ACCESS_KEY: "usual-secret",
  AWS_SESSION_TOKEN: "usual-token",
  AWS_REGION: "eu-north-1",
};

const read = (env: Readonly<Record<string, string>>) => {
  const { settings, core } = configured({ ...bucket, ...env });
  return readShared(settings, core.amazon);
};

const open = (env: Readonly<Record<string, string>>) => {
  const { settings, core } = configured(env);
  return openShared(settings, core);
};

it("Parley's own keys come before those that Amazon's programs have, and a file in the place of a secret", () => {
  expect(read({ ...own, ...amazons })).toEqual({
    kind: "bucket",
    settings: {
      bucket: "team",
      prefix: "parley/",
      endpoint: null,
      region: "eu-north-1",
      keys: { accessKeyId: "own", secretAccessKey: "own-secret" },
    },
  });
  expect(
    read({ ...amazons, PARLEY_SHARED_REGION: "auto", PARLEY_SHARED_ENDPOINT: "http://store:9000/s3?x=1" }),
  ).toMatchObject({
    settings: {
      endpoint: "http://store:9000/s3",
      region: "auto",
      keys: { accessKeyId: "usual", secretAccessKey: "usual-secret", sessionToken: "usual-token" },
    },
  });
  writeFileSync(join(data, "key"), "in-a-file\n");
  const file = { PARLEY_SHARED_ACCESS_KEY: "own", PARLEY_SHARED_SECRET_KEY_FILE: join(data, "key") };
  expect(read(file)).toMatchObject({
    settings: { region: "us-east-1", keys: { secretAccessKey: "in-a-file" } },
  });
});

const problem = (env: Readonly<Record<string, string>>): string => {
  const shared = read(env);
  return shared.kind === "failed" ? shared.problem : shared.kind;
};

it("keys that are missing, half given or unreadable are said in a sentence", () => {
  writeFileSync(join(data, "empty"), "\n");
  const { PARLEY_SHARED_ACCESS_KEY: access, PARLEY_SHARED_SECRET_KEY: secret } = own;
  expect(problem({})).toMatch(
    /^PARLEY_SHARED_STORAGE: the bucket has no keys; set PARLEY_SHARED_ACCESS_KEY and /,
  );
  expect(problem({ PARLEY_SHARED_ACCESS_KEY: access })).toMatch(/^PARLEY_SHARED_SECRET_KEY: is missing: /);
  expect(problem({ PARLEY_SHARED_SECRET_KEY: secret })).toMatch(/^PARLEY_SHARED_ACCESS_KEY: is missing: /);
  const key = (name: string) =>
    problem({ PARLEY_SHARED_ACCESS_KEY: access, PARLEY_SHARED_SECRET_KEY_FILE: join(data, name) });
  expect(key("nowhere")).toMatch(/^PARLEY_SHARED_SECRET_KEY_FILE cannot be read: ENOENT/);
  expect(problem({ PARLEY_SHARED_ACCESS_KEY: access, PARLEY_SHARED_SECRET_KEY_FILE: "/etc/passwd" })).toMatch(
    /FILE: .* is in \/etc, which every command of an agent may read/,
  );
  expect(key("empty")).toMatch(/empty is empty$/);
  expect(problem({ ...own, PARLEY_SHARED_SECRET_KEY_FILE: join(data, "empty") })).toMatch(/conflicts with/);
});

it("a directory is used as it is", async () => {
  const shared = await open({ ...database, PARLEY_SHARED_STORAGE: data });
  if (shared === null || typeof shared === "string") throw new Error(String(shared));
  await shared.put("blobs/it", [Buffer.from("it")]);
  expect(readFileSync(join(data, "blobs", "it"), "utf8")).toBe("it");
  expect(await open({ ...database, PARLEY_SHARED_STORAGE: join(data, "unmounted") })).toMatch(
    /is not a directory; mount the directory/,
  );
  expect(await open({ ...database, PARLEY_SHARED_STORAGE: "/usr/share" })).toMatch(
    /which every command of an agent may read/,
  );
});

it("a bucket that cannot be used keeps a host from starting, and one that can is left as it was", async () => {
  const s3 = await startS3();
  onTestFinished(() => s3.close());
  const env = {
    ...bucket,
    PARLEY_SHARED_ENDPOINT: s3.url,
    PARLEY_SHARED_REGION: REGION,
    AWS_ACCESS_KEY_ID: s3.keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.keys.secretAccessKey,
    AWS_SESSION_TOKEN: s3.keys.sessionToken,
  };
  expect(await open(env)).toHaveProperty("put");
  expect(s3.objects.size).toBe(0);
  expect(await open({ ...env, PARLEY_SHARED_STORAGE: "s3://teem" })).toBe(
    "PARLEY_SHARED_STORAGE: the bucket teem does not exist: create the bucket, or correct PARLEY_SHARED_STORAGE",
  );
});
