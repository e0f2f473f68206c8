/** The floors of design.md 2: arrows go down only, `import type` included, and nothing goes round in a circle. */

import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

const sources = ["src", "adapters", "sandbox"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name)),
);

/** What each file imports: files as paths from the root, packages by name. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(
    ([, target = ""]) =>
      target.startsWith(".") ? relative(root, resolve(root, dirname(file), target)) : target,
  );

const place = (file: string): string => {
  const [top = "", folder = "", more] = file.split("/");
  return top === "sandbox" ? "sandbox" : more === undefined ? `${top}/` : `${top}/${folder}`;
};

/** Folders of F2 and the F2 folders each may import (D34). */
const F2: Readonly<Record<string, readonly string[]>> = {
  sandbox: [],
  "src/forge": [],
  "src/metrics": ["sandbox"],
  "src/model": [],
  "src/modes": [],
  "src/store": [],
  "src/traces": ["sandbox"],
  "src/workspace": ["sandbox"],
  "src/tools": ["sandbox", "src/workspace"],
  "adapters/": ["adapters/text"],
  "adapters/text": [],
  "adapters/console": [],
  "adapters/slack": [],
  "adapters/discord": [],
  "adapters/gateway": [],
};

/** What every adapter may use (D34). */
const SHARED = /^adapters\/(text|trouble)\.ts$/;

/** F3 composes: whatever it likes but main. */
const COMPOSES = /^src\/(cli)?$/;

/** On F2 nothing decides what happens next: these belong to the runtime. */
const DECIDES = /^src\/core\/(transition|on-|decide|round|step|deadline)/;

const isFile = (target: string): boolean => target.endsWith(".ts");

const breach = (file: string, target: string): boolean => {
  const from = place(file);
  if (from === "src/core") return !target.startsWith("src/core/");
  if (from === "src/runtime") return !/^(src\/core\/|src\/runtime\/|node:)/.test(target);
  const allowed = F2[from];
  // A folder that this table does not know stands on no floor.
  if (allowed === undefined) return !COMPOSES.test(from);
  if (!isFile(target)) return false;
  const to = place(target);
  if (to === "src/core") return DECIDES.test(target);
  if (to === "src/runtime") return !/^src\/runtime\/ports(-[a-z]+)?\.ts$/.test(target);
  return !(to === from || allowed.includes(to) || (from.startsWith("adapters/") && SHARED.test(target)));
};

describe("floors", () => {
  it("holds files to look at", () => {
    expect(sources.length).toBeGreaterThan(40);
  });

  it("no import goes up or sideways", () => {
    const found = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => breach(file, target))
        .map((target) => `${file} -> ${target}`),
    );
    expect(found).toEqual([]);
  });

  it("the test would notice: the same rules refuse known breaches", () => {
    expect(breach("src/core/state.ts", "zod")).toBe(true);
    expect(breach("src/core/state.ts", "src/core/id.ts")).toBe(false);
    expect(breach("src/runtime/bot.ts", "better-sqlite3")).toBe(true);
    expect(breach("src/runtime/bot.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("src/tools/bash.ts", "src/core/transition.ts")).toBe(true);
    expect(breach("src/tools/bash.ts", "sandbox/types.ts")).toBe(false);
    expect(breach("src/workspace/x.ts", "src/tools/bash.ts")).toBe(true);
    expect(breach("adapters/slack/surface.ts", "src/runtime/ports-surface.ts")).toBe(false);
    expect(breach("adapters/slack/surface.ts", "src/runtime/deliver/plan.ts")).toBe(true);
    expect(breach("adapters/slack/surface.ts", "adapters/console/gate.ts")).toBe(true);
    expect(breach("adapters/console/server.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("adapters/slack/render.ts", "adapters/text.ts")).toBe(false);
    expect(breach("adapters/console/render.ts", "adapters/text/fill.ts")).toBe(true);
    expect(breach("adapters/text.ts", "adapters/text/fill.ts")).toBe(false);
    expect(breach("adapters/text.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("adapters/matrix/surface.ts", "adapters/slack/surface.ts")).toBe(true);
    expect(breach("src/main.ts", "src/store/sqlite.ts")).toBe(false);
  });

  it("nobody but F3 imports main, config or log", () => {
    const found = sources.filter(
      (file) =>
        !/^src\/(cli\/|[a-z-]+\.ts$)/.test(file) &&
        importsOf(file).some((target) => /^src\/[a-z-]+\.ts$/.test(target)),
    );
    expect(found).toEqual([]);
  });

  it("no circles", () => {
    const graph = new Map(
      sources.map((file) => [file, importsOf(file).filter((target) => sources.includes(target))]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
      if (done.has(file) || path.includes(file)) return;
      for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of sources) visit(file, []);
    expect(circles).toEqual([]);
  });

  it("the core knows no clock, chance or promise", () => {
    const found = sources.filter((file) => {
      const code = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      return place(file) === "src/core" && /\bDate\b|Math\.random|\basync\b|\bawait\b|\bPromise\b/.test(code);
    });
    expect(found).toEqual([]);
  });

  it("builtin modules are named with node:", () => {
    const bare = sources.flatMap((file) =>
      importsOf(file).filter((target) => builtinModules.includes(target)),
    );
    expect(bare).toEqual([]);
  });

  it("no file passes 400 lines", () => {
    const long = sources.filter((file) => readFileSync(join(root, file), "utf8").split("\n").length > 401);
    expect(long).toEqual([]);
  });
});
