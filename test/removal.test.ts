/**
 * Each feature can be removed: the rest type-checks without its folder, its tests and its line, and passes its tests (D48).
 * Who needs a feature is noticed where other features are gone too, so half of them go at once: another half with each commit.
 */

import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "./app/cli/host.ts";
import { isAll, isInSample } from "./sample.ts";
import { scratch } from "./scratch.ts";
import { testSeed } from "./seed.ts";

const LIST = "src/app/features/list.ts";
/** What the compiler and the tests read. */
const COPIED: readonly string[] = [
  ".env.example",
  "adapters",
  "bin",
  "package.json",
  "packaging",
  "sandbox",
  "src",
  "test",
  "tsconfig.json",
  "vitest.config.ts",
];
/** The program with its tests, and the page. */
const PROJECTS = [".", "adapters/page"];
/** Tests of the core: what it decides, how it drives a conversation, and a host from outside on all platforms. */
const coreTests = (without: string): readonly string[] => [
  "test/machine/transition.test.ts",
  "test/runtime/live/conversation.test.ts",
  "test/runtime/bot",
  "test/adapters/http/listener.test.ts",
  // The console is one of the three.
  without === "console" ? "test/e2e/triage.test.ts" : "test/e2e/continuation.test.ts",
];

const names = readdirSync(join(root, "src/features"));
const half = names.filter((name) => isInSample(name, 2));
const chosen = half[testSeed() % half.length] ?? "";
/** The compiler takes a minute of two cores. */
const removals = isAll ? names.map((name) => [name]) : [half];

it("every feature has a line in the list", () => {
  const list = readFileSync(join(root, LIST), "utf8");
  expect(names.filter((name) => !list.includes(`"../../features/${name}/feature.ts"`))).toEqual([]);
  expect(names.length).toBeGreaterThan(0);
});

describe("without features", () => {
  const tree = scratch("removal");
  const list = join(tree, LIST);

  beforeAll(() => {
    for (const one of COPIED) cpSync(join(root, one), join(tree, one), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  });

  /** All others are there. */
  const remove = (gone: readonly string[]): void => {
    for (const folder of ["src/features", "test/features"]) {
      cpSync(join(root, folder), join(tree, folder), { recursive: true });
      for (const name of gone) rmSync(join(tree, folder, name), { recursive: true, force: true });
    }
    writeFileSync(list, gone.reduce(withoutLine, readFileSync(join(root, LIST), "utf8")));
  };
  const typeProblems = async (...projects: readonly string[]): Promise<string> => {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const found = projects.map((project) =>
      execa(process.execPath, [compiler, "-p", project], { cwd: tree, reject: false }),
    );
    return (await Promise.all(found)).map(({ stdout }) => stdout).join("");
  };

  it.each(removals.map((gone) => [gone.join(", "), gone] as const))(
    "%s, the program and its tests type-check",
    async (_, gone) => {
      remove(gone);
      expect(await typeProblems(...PROJECTS)).toBe("");
    },
  );

  it("but with a line, they do not", async () => {
    remove([chosen]);
    cpSync(join(root, LIST), list);
    const only = { extends: "./tsconfig.json", include: [], files: [LIST] };
    writeFileSync(join(tree, "list.json"), JSON.stringify(only));
    expect(await typeProblems("list.json")).toContain(LIST);
  });

  it(`${chosen}, the core's tests pass`, async () => {
    remove([chosen]);
    const ran = await execa(process.execPath, ["test/run.ts", ...coreTests(chosen)], {
      cwd: tree,
      // The folders of this run are not the other one's to look through.
      env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"] },
      extendEnv: false,
      reject: false,
    });
    expect(`${ran.stdout}\n${ran.stderr}`).toMatch(/^\d{3,} passed, 0 failed/m);
  });
});

const withoutLine = (list: string, name: string): string => {
  const [line = "", local = ""] =
    new RegExp(`^import \\{ (\\w+) \\} from "\\.\\./\\.\\./features/${name}/feature\\.ts";\n`, "m").exec(
      list,
    ) ?? [];
  // The name may also be that of a port.
  const inList = new RegExp(`(= \\[[^\\]]*?)\\b${local}\\b,?\\s?`);
  return list.replace(line, "").replace(inList, "$1");
};
