/** The floors of docs/architecture.md: arrows go down only, `import type` included, and nothing goes round in a circle. */

import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
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

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");

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
  "src/": ["adapters/http", "sandbox", "src/model", "src/runtime", "src/settings", "src/tools"],
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
};

/** Each other folder of `adapters` is a chat platform. */
const PLATFORM_FLOORS: readonly string[] = ["src/settings", "adapters/post", "adapters/text"];

const floorsOf = (from: string): readonly string[] | undefined => {
  if (from.startsWith("src/features/")) return BELOW_FEATURES;
  return F2[from] ?? (from.startsWith("adapters/") ? PLATFORM_FLOORS : undefined);
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
  /^src\/runtime\/channels\/(channel-repositories|channel-settings|instructions|repos)\.ts$/,
  /^src\/runtime\/chat\/(attach|begin-in|compose|inbox|question-changes|route)\.ts$/,
  /^src\/runtime\/chat\/people\/(deps|member|outcome-text|press|reply-texts|rights|turn-rate)\.ts$/,
  /^src\/runtime\/chat\/commands\/(channels|define-command|options)\.ts$/,
  /^src\/runtime\/bot\/(investigation-click|repeating-task|title|turns)\.ts$/,
  /^src\/model\/json-file\.ts$/,
  /^src\/tools\/(fit-to-limit|repository|tool|writing)\.ts$/,
  /^src\/workspace\/(checkout\/overrun|disk\/(durable|slots))\.ts$/,
  /^sandbox\/(types|egress\/(agent|get|outward|reach))\.ts$/,
  /^src\/store\/(base\/(codec|seal)|schema\/[\w-]+|tables\/deliveries)\.ts$/,
];

/**
 * The same, of one feature. Several hosts write elsewhere what the store writes, and do each other's work. Other providers
 * stream as Anthropic does.
 */
const KIT_OF_ONE: Readonly<Record<string, RegExp>> = {
  "src/features/providers":
    /^src\/model\/(attempt|distinct-ids|drop-pictures|failure|images|messages|provider|sdk-errors|send-once|stream-events|thinking)\.ts$/,
  "src/features/cluster":
    /^(src\/store\/(base\/(connect|folder|lock|migrations|silent-log|truncate-wal)|tables\/(all-rows|all-tables|blobs)|write\/(batch|write-job))|src\/runtime\/bot\/(drain|forget-person))\.ts$/,
};

const FEATURE = "src/feature.ts";
const PLATFORM = "src/platform.ts";

/** Deleting its folder and its line here removes a feature (D48). */
const LISTS_FEATURES = "src/app/features/list.ts";

/** F3 composes: whatever it likes. */
const COMPOSES = /^src\/app$/;

/** On F2 nothing decides what happens next: these belong to the runtime. */
const DECIDES = /^src\/machine\/(transition\/|round|step|deadline)/;

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
  const kit = KIT_OF_ONE[from] === undefined ? KIT : [...KIT, KIT_OF_ONE[from]];
  if (from.startsWith("src/features/") && kit.some((one) => one.test(target))) return false;
  const allowed = floorsOf(from);
  // A folder that this table does not know stands on no floor.
  if (allowed === undefined) return !COMPOSES.test(from);
  if (!isFile(target)) return false;
  if (to in F0) return DECIDES.test(target);
  return !(
    to === from ||
    to === "src/ports" ||
    target === FEATURE ||
    target === PLATFORM ||
    allowed.includes(to)
  );
};

/** Exports of modules that are loaded by their path: tables and pages of features, and the two ways to write. */
const LOADED_BY_NAME = new Set(["tables", "board", "openForWriting"]);

const EXPORTED = /^export (?:async )?(?:interface|type|const|class|function\*?) (\w+)/gm;

type FolderImport = readonly [from: string, to: string];

const folderImportsOf = (file: string): readonly FolderImport[] =>
  importsOf(file)
    .filter((target) => target.endsWith(".ts"))
    .map((target): FolderImport => [dirname(file), dirname(target)])
    .filter(([from, to]) => from !== to);

const mutualImports = (imports: readonly FolderImport[]): readonly string[] => {
  const known = new Set(imports.map(([from, to]) => `${from} <-> ${to}`));
  return [...known]
    .filter((pair) => {
      const [from = "", to = ""] = pair.split(" <-> ");
      return from < to && known.has(`${to} <-> ${from}`);
    })
    .toSorted();
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
    expect(breach("src/tools/bash/bash.ts", "src/machine/transition/transition.ts")).toBe(true);
    expect(breach("src/tools/bash/bash.ts", "sandbox/types.ts")).toBe(false);
    expect(breach("src/workspace/x.ts", "src/tools/bash/bash.ts")).toBe(true);
    expect(breach("adapters/slack/write/surface.ts", "src/ports/surface.ts")).toBe(false);
    expect(breach("adapters/slack/write/surface.ts", "src/runtime/deliver/plan.ts")).toBe(true);
    expect(breach("adapters/slack/write/surface.ts", "adapters/http/gate.ts")).toBe(true);
    expect(breach("src/features/console/web.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("adapters/slack/write/render.ts", "adapters/text/split.ts")).toBe(false);
    expect(breach("adapters/post/trouble.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("adapters/matrix/surface.ts", "adapters/slack/write/surface.ts")).toBe(true);
    expect(breach("adapters/matrix/surface.ts", "adapters/post/render.ts")).toBe(false);
    expect(breach("adapters/matrix/matrix.ts", "src/platform.ts")).toBe(false);
    expect(breach("adapters/matrix/matrix.ts", "src/app/main.ts")).toBe(true);
    expect(breach("src/app/main.ts", "src/store/sqlite.ts")).toBe(false);
    expect(breach("src/app/features/list.ts", "src/features/gateway/feature.ts")).toBe(false);
    expect(breach("src/app/features/list.ts", "src/features/gateway/app.ts")).toBe(true);
    expect(breach("src/app/main.ts", "src/features/gateway/feature.ts")).toBe(true);
    expect(breach("src/runtime/bot/bot.ts", "src/features/gateway/feature.ts")).toBe(true);
    expect(breach("adapters/slack/slack.ts", "src/features/gateway/feature.ts")).toBe(true);
    expect(breach("src/features/gateway/feature.ts", "src/features/digest/feature.ts")).toBe(true);
    expect(breach("src/features/gateway/feature.ts", "src/features/gateway/app.ts")).toBe(false);
    expect(breach("src/features/gateway/feature.ts", "src/feature.ts")).toBe(false);
    expect(breach("src/features/gateway/feature.ts", "src/ports/bot.ts")).toBe(false);
    expect(breach("src/features/gateway/feature.ts", "src/runtime/bot/bot.ts")).toBe(true);
    expect(breach("src/features/gateway/feature.ts", "src/runtime/bot/repeating-task.ts")).toBe(false);
    expect(breach("src/features/gateway/feature.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("src/features/gateway/feature.ts", "src/store/base/codec.ts")).toBe(false);
    expect(breach("src/features/gateway/feature.ts", "src/store/base/connect.ts")).toBe(true);
    expect(breach("src/features/cluster/join/join.ts", "src/store/base/connect.ts")).toBe(false);
    expect(breach("src/features/cluster/join/join.ts", "src/store/sqlite.ts")).toBe(true);
    expect(breach("src/features/providers/feature.ts", "src/model/provider.ts")).toBe(false);
    expect(breach("src/features/providers/feature.ts", "src/model/anthropic.ts")).toBe(true);
    expect(breach("src/features/gateway/feature.ts", "src/model/provider.ts")).toBe(true);
    expect(breach("src/features/gateway/page/board.ts", "adapters/page/dom.ts")).toBe(false);
    expect(breach("src/features/console/page/board/views.ts", "src/features/digest/page/board.ts")).toBe(
      true,
    );
  });

  it("the library that reads commands imports packages and itself", () => {
    expect(breach("src/shell-risk/classify.ts", "src/text/json.ts")).toBe(true);
    expect(breach("src/shell-risk/classify.ts", "src/machine/vocabulary.ts")).toBe(true);
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
          .filter((target) => target.startsWith("adapters/") && !(place(target) in F2))
          .map((target) => `${file} -> ${target}`),
      );
    const doors = [...new Set(sources.map(place))]
      .filter((folder) => folder.startsWith("adapters/") && !(folder in F2))
      .map((folder) => `src/app/chat/platforms.ts -> ${folder}/${basename(folder)}.ts`);
    expect(found.toSorted()).toEqual(doors.toSorted());
    expect(doors.length).toBeGreaterThan(1);
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
    expect(mutualImports(sources.flatMap(folderImportsOf))).toEqual([]);
  });

  it("the test would notice: folders that import each other, a parent and its child among them", () => {
    expect(
      mutualImports([
        ["src/a", "src/b"],
        ["src/a", "src/a/c"],
        ["src/b", "src/c"],
        ["src/a/c", "src/a"],
        ["src/b", "src/a"],
      ]),
    ).toEqual(["src/a <-> src/a/c", "src/a <-> src/b"]);
  });

  it("each exported name is declared once", () => {
    const files = new Map<string, string[]>();
    for (const file of sources)
      for (const [, name = ""] of readFileSync(join(root, file), "utf8").matchAll(EXPORTED))
        if (!LOADED_BY_NAME.has(name)) files.set(name, [...(files.get(name) ?? []), file]);
    expect([...files].filter(([, where]) => where.length > 1)).toEqual([]);
  });

  it("the core names no chat platform", () => {
    const named = sources.filter(
      (file) =>
        /^src\/(?!app\/|features\/|shell-risk\/|text\/secrets\/)/.test(file) &&
        /slack|discord/i.test(withoutComments(readFileSync(join(root, file), "utf8"))),
    );
    expect(named).toEqual([]);
  });

  it("the core knows no clock, chance or promise", () => {
    const found = sources.filter((file) => {
      const code = withoutComments(readFileSync(join(root, file), "utf8"))
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
