/** Secrets in a file of Google's credentials. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { googleCredentials } from "../../../src/features/providers/google-credentials.ts";
import { secretsAmong } from "../../../src/settings/secrets.ts";
import { scratch } from "../../scratch.ts";

const found = (parser: typeof googleCredentials, value: unknown): readonly string[] =>
  secretsAmong({ NEW: parser }, { NEW: value });

const folder = scratch("google-credentials");
const fileOf = (text: string): string => {
  const path = join(folder, String(text.length));
  writeFileSync(path, text);
  return path;
};

it("a setting that is unset, and a file that is missing, hold no secret", () => {
  expect(found(googleCredentials, undefined)).toEqual([]);
  expect(found(googleCredentials, join(folder, "missing"))).toEqual([]);
});

it("a file holds its secret fields, as written and as read, and not the others", () => {
  const key = "-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----\n";
  const account = { type: "service_account", client_email: "me@example.org", private_key: key };
  expect(found(googleCredentials, fileOf(JSON.stringify(account)))).toEqual([
    key,
    key.replaceAll("\n", "\\n"),
  ]);
  const person = { client_id: "id", client_secret: "a-secret", refresh_token: "a-token" };
  expect(new Set(found(googleCredentials, fileOf(JSON.stringify(person))))).toEqual(
    new Set(["a-secret", "a-token"]),
  );
  for (const text of ["", "no JSON", "[]", '{"private_key":1}'])
    expect(found(googleCredentials, fileOf(text))).toEqual([]);
});
