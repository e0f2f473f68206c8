/** The launcher's C files: none uses a function of another that uses one of its own, directly or around. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LAUNCHER_SOURCE, launcherFiles } from "../../sandbox/compile.ts";

type Sources = ReadonlyMap<string, string>;

const IGNORED = /\/\*[^]*?\*\/|"(?:\\.|[^"\\])*"|^#include.*$/gm;
/** At the beginning of a line, with its body: a static function is its file's own. */
const DEFINITION = /^(?!static\b)\w[\w *]*?\b(\w+)\([^;{}]*\) \{/gm;
/** A member of a struct may have a function's name. */
const NAME = /(?<![.>\w])[a-z]\w*/g;

/** From each file to those whose functions it calls or passes on. Nobody calls main, which is also a field's name. */
const usesOf = (sources: Sources): ReadonlyMap<string, ReadonlySet<string>> => {
  const code = [...sources].map(([file, text]) => [file, text.replaceAll(IGNORED, "")] as const);
  const owners = new Map(
    code.flatMap(([file, text]) =>
      [...text.matchAll(DEFINITION)].map(([, name = ""]) => [name, file] as const),
    ),
  );
  owners.delete("main");
  return new Map(
    code.map(([file, text]) => {
      const used = [...text.matchAll(NAME)].flatMap(([name]) => owners.get(name) ?? []);
      return [file, new Set(used.filter((owner) => owner !== file))];
    }),
  );
};

/** What is left when each file that uses none of those left, or is used by none, is taken away. */
const circlesIn = (sources: Sources): readonly string[] => {
  const uses = usesOf(sources);
  let left = [...uses.keys()];
  for (;;) {
    const tied = left.filter(
      (file) =>
        left.some((other) => uses.get(file)?.has(other)) && left.some((other) => uses.get(other)?.has(file)),
    );
    if (tied.length === left.length) return left;
    left = tied;
  }
};

it("has no circle", async () => {
  const names = (await launcherFiles()).filter((name) => name.endsWith(".c"));
  const sources = new Map(names.map((name) => [name, readFileSync(join(LAUNCHER_SOURCE, name), "utf8")]));
  expect(circlesIn(sources)).toEqual([]);
  const uses = usesOf(sources);
  // What is read of the sources is what they say.
  expect(uses.get("server/serve.c")).toContain("server/slot.c");
  expect([...uses.values()].filter((used) => used.size > 0).length).toBeGreaterThan(names.length / 2);
});

it("a circle is found, over one file or several, by calls and by functions that are passed on", () => {
  const top = ["top.c", "int top(void) {\n  return a();\n}\n"] as const;
  const a = ["a.c", "int a(void) {\n  return b();\n}\n"] as const;
  const b = ["b.c", "int b(void) {\n  return each(c);\n}\n"] as const;
  const c = ["c.c", "/* a() */ int c(void);\nint c(void) {\n  return 0;\n}\n"] as const;
  expect(circlesIn(new Map([top, a, b, c]))).toEqual([]);
  const around = ["c.c", "int c(void) {\n  return a();\n}\n"] as const;
  expect(circlesIn(new Map([top, a, b, around]))).toEqual(["a.c", "b.c", "c.c"]);
});
