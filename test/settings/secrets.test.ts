/** A parser that is marked is all that makes a setting secret; a value that is damaged or missing holds none. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  secretAddress,
  databaseAddress,
  proxyAddress,
  secrecyOf,
  secret,
  secretFile,
  secretsAmong,
} from "../../src/settings/secrets.ts";
import { scratch } from "../scratch.ts";

const found = (parser: z.ZodType, value: unknown): readonly string[] =>
  secretsAmong({ NEW: parser, PLAIN: z.string() }, { NEW: value, PLAIN: "plain" });

const folder = scratch("secret-settings");
const fileOf = (text: string): string => {
  const path = join(folder, String(text.length));
  writeFileSync(path, text);
  return path;
};

it("a mark outlives every check, default and transformation", () => {
  const chains = [
    secret,
    secret.min(3),
    secret.startsWith("a"),
    secret.regex(/a/).optional(),
    secret.refine(() => true).default("abc"),
    secret.min(3).transform((text) => text),
  ];
  for (const parser of chains) {
    expect(secrecyOf(parser)).toBe("whole");
    expect(found(parser, "abc")).toEqual(["abc"]);
  }
  for (const parser of [z.string(), z.string().optional(), z.coerce.number().default(1)]) {
    expect(secrecyOf(parser)).toBeNull();
    expect(found(parser, "abc")).toEqual([]);
  }
});

it("a setting that is unset holds no secret", () => {
  for (const parser of [secret, secretAddress, proxyAddress, databaseAddress, secretFile])
    expect(found(parser.optional(), undefined)).toEqual([]);
});

describe("an address", () => {
  it("holds the values of its query, as written and as read, and no short one", () => {
    expect(found(secretAddress, "https://collector.example/v1?key=long%2Fenough&v=2")).toEqual([
      "long/enough",
      "long%2Fenough",
    ]);
    expect(found(secretAddress, "https://collector.example/v1")).toEqual([]);
  });

  it("of a proxy holds its password, as written and as read, and no short one", () => {
    expect(found(proxyAddress, "http://me:long%2Fenough@proxy.example:3128")).toEqual([
      "long%2Fenough",
      "long/enough",
    ]);
    expect(found(proxyAddress, "http://me:short@proxy.example:3128")).toEqual([]);
  });

  it("of a database holds its password, wherever it is written, however short, and with a stray percent sign", () => {
    expect(new Set(found(databaseAddress, "postgres://me:hush@db.example/parley"))).toEqual(
      new Set(["hush"]),
    );
    expect(found(databaseAddress, "postgres://me@db.example/parley?password=hush&sslmode=require")).toEqual([
      "hush",
    ]);
    expect(new Set(found(databaseAddress, "postgres://me:50%zz@db.example/parley"))).toEqual(
      new Set(["50%zz"]),
    );
    expect(found(databaseAddress, "postgres://me@db.example/parley?sslmode=require")).toEqual([]);
  });
});

describe("a file", () => {
  it("holds its text without the line end, and none if it is missing or empty", () => {
    expect(found(secretFile, fileOf("in-a-file\n"))).toEqual(["in-a-file"]);
    expect(found(secretFile, fileOf("\n"))).toEqual([]);
    expect(found(secretFile, join(folder, "missing"))).toEqual([]);
  });
});
