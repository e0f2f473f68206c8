import { expect, it } from "vitest";
import { ownersFileOf } from "../../../../src/features/forge/api/owners-file.ts";
import { ownedPaths } from "../../../../src/features/forge/tend/forge-facts.ts";

const PATHS = ["src/a.ts", "docs/b.md"];

it("a CODEOWNERS that cannot be read owns all paths, so that a person decides", () => {
  expect(ownedPaths(ownersFileOf(null), PATHS)).toEqual(PATHS);
});

it("a CODEOWNERS that can be read owns what its rules name", () => {
  expect(ownedPaths(ownersFileOf("/docs/ @team\n"), PATHS)).toEqual(["docs/b.md"]);
  expect(ownedPaths(ownersFileOf("*\n"), PATHS)).toEqual([]);
});

it("a repository without CODEOWNERS has no owned paths", () => {
  expect(ownedPaths({ kind: "none" }, PATHS)).toEqual([]);
});
