/** The floors of docs/architecture.md: arrows go down only, `import type` included, and nothing goes round in a circle. */

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
  importsIn(file, readFileSync(join(root, file), "utf8"));

const importsIn = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(([, target = ""]) =>
    target.startsWith(".") ? relative(root, resolve(root, dirname(file), target)) : target,
  );

/** What is left of them when types are erased. */
const valueImportsIn = (file: string, text: string): readonly string[] => importsIn(file, withoutTypes(text));

const withoutTypes = (text: string): string =>
  text.replaceAll(/\b(?:import|export) type\b[^;]*?\bfrom\s*["'][^"']+["']/g, "");

const place = (file: string): string => {
  const [top = "", folder = "", more] = file.split("/");
  // Each feature stands for itself.
  if (file.startsWith("src/features/")) return `src/features/${more}`;
  return top === "sandbox" ? "sandbox" : more === undefined ? `${top}/` : `${top}/${folder}`;
};

/** F0: the folders that each may import beside itself. */
const F0: Readonly<Record<string, readonly string[]>> = {
  "src/text": [],
  "src/i18n": [],
  "src/machine": ["src/text", "src/i18n"],
  "src/thread": ["src/text", "src/i18n", "src/machine"],
};

/** Folders of F2 and the F2 folders each may import (D34). */
const F2: Readonly<Record<string, readonly string[]>> = {
  sandbox: [],
  "src/": ["adapters/http", "sandbox", "src/runtime", "src/settings", "src/tools"],
  "adapters/page": [],
  "src/settings": [],
  "src/model": [],
  "src/modes": [],
  "src/store": [],
  "src/workspace": ["sandbox"],
  "src/tools": ["sandbox", "src/shell-risk", "src/workspace"],
  "adapters/text": [],
  "adapters/post": ["adapters/text"],
  "adapters/http": ["adapters/post"],
  "adapters/slack": ["adapters/post", "adapters/text"],
  "adapters/discord": ["adapters/post", "adapters/text"],
};

/** Floors that a feature stands on, beside ports, F0 and `src/feature.ts`. Another feature is not among them. */
const BELOW_FEATURES: readonly string[] = [
  "adapters/http",
  "adapters/post",
  "adapters/text",
  "adapters/page",
  "src/settings",
];

/** Modules of other floors that features are made with. */
const KIT: readonly RegExp[] = [
  /^src\/runtime\/chat\/(compose|deps|inbox|outcome-text|press|question-changes|reply-texts|route|turn-rate)\.ts$/,
  /^src\/runtime\/chat\/commands\/(channels|define-command|member|options|repos|rights|several)\.ts$/,
  /^src\/runtime\/bot\/(begin-in|instructions|rounds|say-once|title|turns)\.ts$/,
  /^src\/model\/json-file\.ts$/,
  /^src\/tools\/(fitting|repository|tool|writing)\.ts$/,
  /^src\/workspace\/(checkout\/overrun|durable|slots)\.ts$/,
  /^sandbox\/(types|egress\/(agent|outward|reach))\.ts$/,
  /^src\/store\/(codec|schema\/[\w-]+|tables\/deliveries)\.ts$/,
];

const FEATURE = "src/feature.ts";

/** Deleting its folder and its line here removes a feature (D48). */
const LISTS_FEATURES = "src/app/features.ts";

/** F3 composes: whatever it likes. */
const COMPOSES = /^src\/app$/;

/** On F2 nothing decides what happens next: these belong to the runtime. */
const DECIDES = /^src\/machine\/(transition|on\/|decide|round|step|deadline)/;

/** Folders that are to be parted. */
const STILL_MUTUAL: readonly string[] = [
  "adapters/discord",
  "adapters/slack",
  "src/app",
  "src/features/forge",
  "src/features/watches",
  "src/machine",
  "src/ports",
  "src/runtime",
  "src/store",
  "src/workspace",
];

const isFile = (target: string): boolean => /\.(ts|json)$/.test(target);

/** A library: it imports packages and itself. */
const LIBRARY = "src/shell-risk";

/** Types alone: the one port of the host that is declared at its implementation. */
const SANDBOX_TYPES = "sandbox/types.ts";

const breach = (file: string, target: string): boolean => {
  const from = place(file);
  const to = place(target);
  if (from === LIBRARY) return isFile(target) && to !== from;
  const below = F0[from];
  if (below !== undefined) return !isFile(target) || !(to === from || below.includes(to));
  if (from === "src/ports") return !(to === from || to in F0 || target === SANDBOX_TYPES);
  if (from === "src/runtime")
    return !(to === from || to === "src/ports" || to in F0 || target.startsWith("node:"));
  if (to.startsWith("src/features/") && from !== to)
    return file !== LISTS_FEATURES || target !== `${to}/feature.ts`;
  if (from.startsWith("src/features/") && KIT.some((one) => one.test(target))) return false;
  const allowed = from.startsWith("src/features/") ? BELOW_FEATURES : F2[from];
  // A folder that this table does not know stands on no floor.
  if (allowed === undefined) return !COMPOSES.test(from);
  if (!isFile(target)) return false;
  if (to in F0) return DECIDES.test(target);
  return !(to === from || to === "src/ports" || target === FEATURE || allowed.includes(to));
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
    expect(breach("src/machine/state.ts", "zod")).toBe(true);
    expect(breach("src/machine/state.ts", "src/machine/id.ts")).toBe(false);
    expect(breach("src/machine/state.ts", "src/text/citation.ts")).toBe(false);
    expect(breach("src/machine/state.ts", "src/thread/view.ts")).toBe(true);
    expect(breach("src/text/citation.ts", "src/machine/id.ts")).toBe(true);
    expect(breach("src/ports/model.ts", "src/runtime/bot/bot.ts")).toBe(true);
    expect(breach("src/ports/observer.ts", "sandbox/types.ts")).toBe(false);
    expect(breach("src/ports/observer.ts", "sandbox/server.ts")).toBe(true);
    expect(breach("src/runtime/bot/bot.ts", "better-sqlite3")).toBe(true);
    expect(breach("src/runtime/bot/bot.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("src/tools/bash/bash.ts", "src/machine/transition.ts")).toBe(true);
    expect(breach("src/tools/bash/bash.ts", "sandbox/types.ts")).toBe(false);
    expect(breach("src/workspace/x.ts", "src/tools/bash/bash.ts")).toBe(true);
    expect(breach("adapters/slack/write/surface.ts", "src/ports/surface.ts")).toBe(false);
    expect(breach("adapters/slack/write/surface.ts", "src/runtime/deliver/plan.ts")).toBe(true);
    expect(breach("adapters/slack/write/surface.ts", "adapters/http/gate.ts")).toBe(true);
    expect(breach("src/features/console/routes.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("adapters/slack/write/render.ts", "adapters/text/split.ts")).toBe(false);
    expect(breach("adapters/post/trouble.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("adapters/matrix/surface.ts", "adapters/slack/write/surface.ts")).toBe(true);
    expect(breach("src/app/main.ts", "src/store/sqlite.ts")).toBe(false);
    expect(breach("src/app/features.ts", "src/features/gateway/feature.ts")).toBe(false);
    expect(breach("src/app/features.ts", "src/features/gateway/app.ts")).toBe(true);
    expect(breach("src/app/main.ts", "src/features/gateway/feature.ts")).toBe(true);
    expect(breach("src/runtime/bot/bot.ts", "src/features/gateway/feature.ts")).toBe(true);
    expect(breach("adapters/slack/slack.ts", "src/features/gateway/feature.ts")).toBe(true);
    expect(breach("src/features/gateway/feature.ts", "src/features/digest/feature.ts")).toBe(true);
    expect(breach("src/features/gateway/feature.ts", "src/features/gateway/app.ts")).toBe(false);
    expect(breach("src/features/gateway/feature.ts", "src/feature.ts")).toBe(false);
    expect(breach("src/features/gateway/feature.ts", "src/ports/bot.ts")).toBe(false);
    expect(breach("src/features/gateway/feature.ts", "src/runtime/bot/bot.ts")).toBe(true);
    expect(breach("src/features/gateway/feature.ts", "src/runtime/bot/rounds.ts")).toBe(false);
    expect(breach("src/features/gateway/feature.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("src/features/gateway/feature.ts", "src/store/codec.ts")).toBe(false);
    expect(breach("src/features/gateway/page/board.ts", "adapters/page/dom.ts")).toBe(false);
    expect(breach("src/features/console/page/board/views.ts", "src/features/digest/page/board.ts")).toBe(
      true,
    );
  });

  it("the library that reads commands imports packages and itself", () => {
    expect(breach("src/shell-risk/classify.ts", "src/text/json.ts")).toBe(true);
    expect(breach("src/shell-risk/classify.ts", "src/machine/words.ts")).toBe(true);
    expect(breach("src/shell-risk/classify.ts", "src/shell-risk/danger/danger.ts")).toBe(false);
    expect(breach("src/shell-risk/classify.ts", "zod")).toBe(false);
    expect(breach("src/workspace/x.ts", "src/shell-risk/classify.ts")).toBe(true);
    expect(breach("src/tools/bash/bash.ts", "src/shell-risk/classifier.ts")).toBe(false);
  });

  it("the sandbox imports nothing from src but types", () => {
    const found = sources
      .filter((file) => place(file) === "sandbox")
      .flatMap((file) =>
        valueImportsIn(file, readFileSync(join(root, file), "utf8")).filter((target) =>
          target.startsWith("src/"),
        ),
      );
    expect(found).toEqual([]);
  });

  it("the test would notice: a value beside a type is a value", () => {
    expect(valueImportsIn("sandbox/x.ts", 'import { jsonIn } from "../src/text/json.ts";')).toEqual([
      "src/text/json.ts",
    ]);
    expect(valueImportsIn("sandbox/x.ts", 'import { type A, b } from "../src/a.ts";')).toEqual(["src/a.ts"]);
    expect(valueImportsIn("sandbox/x.ts", 'await import("../src/a.ts");')).toEqual(["src/a.ts"]);
    expect(
      valueImportsIn(
        "sandbox/x.ts",
        'import type { A } from "../src/a.ts";\nimport { b } from "../src/b.ts";',
      ),
    ).toEqual(["src/b.ts"]);
    expect(valueImportsIn("sandbox/x.ts", 'import type {\n  A,\n  B,\n} from "../src/a.ts";')).toEqual([]);
  });

  it("nobody but F3 imports F3", () => {
    const found = sources.filter(
      (file) => !COMPOSES.test(place(file)) && importsOf(file).some((target) => COMPOSES.test(place(target))),
    );
    expect(found).toEqual([]);
  });

  it("only the list of platforms imports a chat adapter, and only its door", () => {
    const found = sources
      .filter((file) => file.startsWith("src/"))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => /^adapters\/(slack|discord)\//.test(target))
          .map((target) => `${file} -> ${target}`),
      );
    expect(found.toSorted()).toEqual([
      "src/app/chat/platforms.ts -> adapters/discord/discord.ts",
      "src/app/chat/platforms.ts -> adapters/slack/slack.ts",
    ]);
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

  it("no two folders import each other", () => {
    const pairs = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => sources.includes(target) && dirname(target) !== dirname(file))
        .map((target) => `${dirname(file)} -> ${dirname(target)}`),
    );
    const all = new Set(pairs);
    const mutual = [...all].filter((pair) => all.has(pair.split(" -> ").toReversed().join(" -> ")));
    expect(mutual.filter((pair) => !STILL_MUTUAL.some((one) => pair.startsWith(one)))).toEqual([]);
  });

  it("the core knows no clock, chance or promise", () => {
    const found = sources.filter((file) => {
      const code = readFileSync(join(root, file), "utf8")
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
        // A time that was given may be written down.
        .replaceAll(/\bnew Date\(\w+\)\.toISOString\(\)/g, "");
      return place(file) in F0 && /\bDate\b|Math\.random|\basync\b|\bawait\b|\bPromise\b/.test(code);
    });
    expect(found).toEqual([]);
  });

  it("builtin modules are named with node:", () => {
    const bare = sources.flatMap((file) =>
      importsOf(file).filter((target) => builtinModules.includes(target)),
    );
    expect(bare).toEqual([]);
  });

  it("ports are narrow: at most eight members of their own", () => {
    const wide = sources
      .filter((file) => place(file) === "src/ports")
      .flatMap((file) => [
        ...readFileSync(join(root, file), "utf8").matchAll(/^export interface (\w+)[^{]*\{\n([^]*?)^\}/gm),
      ])
      .map(([, name, body = ""]) => ({ name, members: body.match(/^ {2}\w+(?:<.*>)?\(/gm)?.length ?? 0 }))
      .filter(({ members }) => members > 8);
    expect(wide).toEqual([]);
  });
});
