/** Settings of several hosts that go together. */

import { expect, it } from "vitest";
import { readConfig } from "../../../../src/app/settings/config.ts";

const problems = (env: Readonly<Record<string, string>>): readonly string[] => {
  const read = readConfig(env, "/nonexistent");
  return read.kind === "invalid" ? read.problems : [];
};

it("several hosts need a database and a word about what they share, and one password", () => {
  const database = { PARLEY_DATABASE: "postgres://parley@db.example/parley" };
  expect(problems(database)).toEqual([
    expect.stringMatching(/^PARLEY_DATABASE: needs PARLEY_SHARED_STORAGE: .* or none/),
  ]);
  expect(problems({ PARLEY_SHARED_STORAGE: "/mnt" })).toEqual([
    expect.stringMatching(/^PARLEY_SHARED_STORAGE: needs PARLEY_DATABASE/),
  ]);
  const two = { PARLEY_DATABASE_PASSWORD: "hush", PARLEY_DATABASE_PASSWORD_FILE: "/file" };
  expect(problems({ ...database, PARLEY_SHARED_STORAGE: "none", ...two })).toEqual([
    expect.stringMatching(/^PARLEY_DATABASE_PASSWORD_FILE: conflicts/),
  ]);
  expect(problems({ ...database, PARLEY_SHARED_STORAGE: "none" })).toEqual([]);
  expect(problems({ ...database, PARLEY_SHARED_STORAGE: "shared" })).toEqual([
    "PARLEY_SHARED_STORAGE: must be an absolute path, s3://BUCKET/PREFIX, or none",
  ]);
  for (const bucket of ["s3://team", "s3://team/parley", "s3://team.one/a/b-1/"])
    expect(problems({ ...database, PARLEY_SHARED_STORAGE: bucket }), bucket).toEqual([]);
  for (const bucket of ["s3://", "s3://Team", "s3://team/../other", "s3://team//x", "s3://key:secret@team"])
    expect(problems({ ...database, PARLEY_SHARED_STORAGE: bucket }), bucket).toHaveLength(1);
});
