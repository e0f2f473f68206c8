/** Who knows the cited lines: CODEOWNERS as the forge reads it, otherwise the last people who changed the lines. */

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  changersIn,
  codePeopleOf,
  ownersIn,
  placesIn,
} from "../../../../src/features/watches/people/code-people.ts";
import { scratch } from "../../../scratch.ts";

const repoWith = (
  commits: readonly { readonly by: string; readonly files: Readonly<Record<string, string>> }[],
) => {
  const at = scratch("owners");
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: at, encoding: "utf8" });
  git("init", "-q");
  for (const [no, { by, files }] of commits.entries()) {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(at, file, ".."), { recursive: true });
      writeFileSync(join(at, file), text);
    }
    git("add", "-A");
    const date = `2026-01-0${no + 1}T00:00:00Z`;
    execFileSync(
      "git",
      ["-c", `user.name=${by}`, "-c", "user.email=a@b.example", "commit", "-qm", "x", "--date", date],
      {
        cwd: at,
      },
    );
  }
  const commit = git("rev-parse", "HEAD").trim();
  const ask = async (script: string, stdin: string): Promise<string> =>
    execFileSync("sh", ["-c", script], {
      cwd: at,
      input: stdin,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    });
  return {
    tip: async () => ({ kind: "tip", tip: { commit, mirror: at } }) as const,
    within: async <T>(
      _tip: unknown,
      signal: AbortSignal,
      work: (repo: { readonly ask: typeof ask; readonly signal: AbortSignal }) => Promise<T>,
    ) => ({ kind: "done", value: await work({ ask, signal }) }) as const,
  };
};

const REPO = { kind: "url", location: "https://github.com/acme/api.git" } as const;
const SIGNAL = new AbortController().signal;

describe("codePeopleOf", () => {
  it("names owners of CODEOWNERS, and for other files the last people who changed the cited lines", async () => {
    const commits = repoWith([
      {
        by: "Ada",
        files: { "src/a.ts": "1\n2\n3\n", "src/b.ts": "1\n", CODEOWNERS: "/src/b.ts @acme/shop\n" },
      },
      { by: "Bob", files: { "src/a.ts": "1\ntwo\n3\n" } },
      { by: "helper[bot]", files: { "src/a.ts": "1\ntwo\nthree\n" } },
    ]);
    const places = [
      { file: "src/a.ts", from: 1, to: 3 },
      { file: "src/b.ts", from: 1, to: 1 },
      { file: "gone.ts", from: 1, to: 1 },
    ];
    expect(await codePeopleOf(commits, REPO, places, 0, SIGNAL)).toEqual([
      { ...places[0], owners: [], changers: ["Bob", "Ada"] },
      { ...places[1], owners: ["@acme/shop"], changers: [] },
      { ...places[2], owners: [], changers: [] },
    ]);
  });

  it("asks nothing without cited lines, and names nobody of a repository that cannot be read", async () => {
    const failing = {
      tip: async () => ({ kind: "failed" }) as const,
      within: async () => ({ kind: "failed" }) as const,
    };
    expect(await codePeopleOf(failing, REPO, [{ file: "a", from: 1, to: 1 }], 0, SIGNAL)).toEqual([]);
    expect(await codePeopleOf(failing, REPO, [], 0, SIGNAL)).toEqual([]);
  });
});

it("ownersIn lists each owner of a file once, over all sections", () => {
  const text = "[One]\n*.ts @a\n[Two]\n*.ts @b @a\n";
  expect(ownersIn(text, [{ file: "x.ts" }, { file: "x.md" }])).toEqual(
    new Map([
      ["x.ts", ["@a", "@b"]],
      ["x.md", []],
    ]),
  );
});

it("changersIn takes at most three, the newest first", () => {
  expect(changersIn("=\n3\tC\n1\tA\n2\tB\n9\tA\n4\tD\n=\n")).toEqual([["A", "D", "C"], []]);
});

const cited = (file: string | null, status: "found" | "missing", from = 3) => ({
  path: file ?? "x",
  file,
  status,
  from,
  to: from,
});

it("placesIn takes found lines only, one place a file", () => {
  expect(
    placesIn([
      cited("a", "found"),
      cited("a", "found", 9),
      cited("b", "missing"),
      cited(null, "found"),
      cited("c", "found", 0),
    ]),
  ).toEqual([{ file: "a", from: 3, to: 3 }]);
});
