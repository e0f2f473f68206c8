/** The small parts that composition is made of. */

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consoleToken } from "../../src/app/settings/console-token.ts";
import { findDefaultRepo } from "../../src/app/settings/default-repo.ts";
import { closestMatch } from "../../src/text/closest-match.ts";
import { randomId } from "../../src/app/process/random-id.ts";
import { scratch } from "../scratch.ts";

describe("console token (D4)", () => {
  it("is made once, kept with mode 0600, and read again", () => {
    const PARLEY_DATA = scratch("parts");
    const first = consoleToken({ PARLEY_DATA, PARLEY_CONSOLE_TOKEN: undefined });
    expect(first).toMatchObject({ kind: "token", token: expect.stringMatching(/^[a-z2-7]{26}$/) });
    expect(consoleToken({ PARLEY_DATA, PARLEY_CONSOLE_TOKEN: undefined })).toEqual(first);
    expect(statSync(join(PARLEY_DATA, "console-token")).mode & 0o777).toBe(0o600);
  });

  it("a token file with nothing usable is refused with the remedy; a configured token wins", () => {
    const PARLEY_DATA = scratch("parts");
    writeFileSync(join(PARLEY_DATA, "console-token"), "\n");
    expect(consoleToken({ PARLEY_DATA, PARLEY_CONSOLE_TOKEN: undefined })).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("Delete the file"),
    });
    expect(consoleToken({ PARLEY_DATA, PARLEY_CONSOLE_TOKEN: "given-by-the-operator" })).toEqual({
      kind: "token",
      token: "given-by-the-operator",
    });
  });
});

describe("default repository", () => {
  it("is the work tree around the directory that the process was started in", () => {
    const root = scratch("parts");
    mkdirSync(join(root, ".git"));
    mkdirSync(join(root, "deep/er"), { recursive: true });
    expect(findDefaultRepo(undefined, join(root, "deep/er"))).toEqual({ kind: "path", location: root });
    expect(findDefaultRepo(join(root, "deep"), "/x")).toEqual({ kind: "path", location: root });
    expect(findDefaultRepo(undefined, scratch("parts"))).toBeNull();
  });

  it("tells URLs from paths", () => {
    expect(findDefaultRepo("https://host.example/a/b.git", "/x")?.kind).toBe("url");
    expect(findDefaultRepo("git@host.example:a/b.git", "/x")?.kind).toBe("url");
    expect(findDefaultRepo("some/where", "/x")).toEqual({ kind: "path", location: "/x/some/where" });
  });
});

describe("nearest", () => {
  it("finds a word with one letter wrong, whatever the letter", () => {
    const known = ["PORT", "HOST", "REPOS", "APPROVERS", "TWO_PERSON"];
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.nat(), fc.constantFrom("X", "Y"), (word, at, letter) => {
        const index = at % word.length;
        expect(closestMatch(`${word.slice(0, index)}${letter}${word.slice(index + 1)}`, known)).toBe(word);
      }),
      { numRuns: 300 },
    );
    expect(closestMatch("COMPLETELY_ELSE", known)).toBeNull();
  });
});

it("random ids do not repeat and have the promised shape", () => {
  const ids = new Set(Array.from({ length: 10_000 }, randomId));
  expect(ids.size).toBe(10_000);
  for (const id of ids) expect(id).toMatch(/^[a-z2-7]{26}$/);
});
