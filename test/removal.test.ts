/** Each feature can be removed: the rest type-checks without its folder, its tests and its line, and passes its tests (D48). */

import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { root } from "./app/cli/host.ts";
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
/** Tests of the core: what it decides, how it drives a conversation, and a host from outside. */
const coreTests = (without: string): readonly string[] => [
  "test/machine/transition.test.ts",
  "test/runtime/live/conversation.test.ts",
  "test/runtime/bot",
  "test/adapters/http/listener.test.ts",
  // Most tests from outside speak to the console.
  without === "console" ? "test/e2e/triage.test.ts" : "test/e2e/turns.test.ts",
];

const names = readdirSync(join(root, "src/features"));
/** The compiler takes ten seconds a feature and the tests take minutes: the commit chooses. */
const first = testSeed() % names.length;
const tried = [...names.slice(first), ...names.slice(0, first)].slice(0, 4);
const [chosen = ""] = tried;

it("every feature has a line in the list", () => {
  const list = readFileSync(join(root, LIST), "utf8");
  expect(names.filter((name) => !list.includes(`"../../features/${name}/feature.ts"`))).toEqual([]);
  expect(names.length).toBeGreaterThan(0);
});

describe("without a feature", () => {
  it.each(tried)("%s, the program and its tests type-check", async (name) => {
    expect(await typeProblems(treeWithout(name))).toBe("");
  });

  it("but with its line, they do not", async () => {
    const tree = treeWithout(chosen);
    writeFileSync(join(tree, LIST), readFileSync(join(root, LIST)));
    expect(await typeProblems(tree)).toContain(LIST);
  });

  it(`${chosen}, the core's tests pass`, async () => {
    const ran = await execa(process.execPath, ["test/run.ts", ...coreTests(chosen)], {
      cwd: treeWithout(chosen),
      // The folders of this run are not the other one's to look through.
      env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"] },
      extendEnv: false,
      reject: false,
    });
    expect(`${ran.stdout}\n${ran.stderr}`).toMatch(/^\d{3,} passed, 0 failed/m);
  });
});

const treeWithout = (name: string): string => {
  const copy = scratch("removal");
  for (const one of COPIED) cpSync(join(root, one), join(copy, one), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  rmSync(join(copy, "src/features", name), { recursive: true });
  rmSync(join(copy, "test/features", name), { recursive: true, force: true });
  const list = readFileSync(join(copy, LIST), "utf8");
  const [line = "", local = ""] =
    new RegExp(`^import \\{ (\\w+) \\} from "\\.\\./\\.\\./features/${name}/feature\\.ts";\n`, "m").exec(
      list,
    ) ?? [];
  // The name may also be that of a port.
  const inList = new RegExp(`(= \\[[^\\]]*?)\\b${local}\\b,?\\s?`);
  writeFileSync(join(copy, LIST), list.replace(line, "").replace(inList, "$1"));
  return copy;
};

const typeProblems = async (tree: string): Promise<string> => {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const found = PROJECTS.map((project) =>
    execa(process.execPath, [compiler, "-p", project], { cwd: tree, reject: false }),
  );
  return (await Promise.all(found)).map(({ stdout }) => stdout).join("");
};
