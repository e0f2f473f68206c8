/**
 * Joins the modules of `parley start` and of the writer thread in `dist` or the named folder, because a start spends a third
 * of its time on single modules. The original files then load `bundle/`; other commands and threads use single modules.
 * Packages stay outside, and modules that nothing loads any more are removed. Runs after stage.ts.
 */

import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Plugin, rolldown } from "rolldown";

const dist = resolve(process.argv[2] ?? join(import.meta.dirname, "../dist"));
const out = join(dist, "bundle");

/** Entry points, each without code of the others; `exports` has the names that importers use. */
const ENTRIES = [
  { module: "src/app/cli/start.js", name: "start", exports: "{ startCommand }" },
  { module: "src/store/write/open-for-writing.js", name: "writer", exports: "{ openForWriting }" },
] as const;

/** Paths from a module's place also lead there from the bundle. */
const keepPlaces: Plugin = {
  name: "places",
  transform: (code, id) => {
    if (!code.includes("import.meta")) return null;
    const at = (path: string): string => `new URL(${JSON.stringify(relative(out, path))}, import.meta.url)`;
    const folder = `new URL(${JSON.stringify(`${relative(out, dirname(id))}/`)}, import.meta.url)`;
    return code
      .replaceAll(/new URL\(\s*"(\.{1,2}\/[^"]+)",\s*import\.meta\.url\s*\)/g, (_, to: string) =>
        at(join(dirname(id), to)),
      )
      .replaceAll(/(?<!", )import\.meta\.url/g, `${at(id)}.href`)
      .replaceAll("import.meta.dirname", `decodeURIComponent(${folder}.pathname)`);
  },
};

/** `loads`: matches the paths that a module loads. */
const reachedFrom = (entries: readonly string[], loads: RegExp): ReadonlySet<string> => {
  const reached = new Set(entries);
  for (const module of reached)
    for (const [, target = ""] of readFileSync(module, "utf8").matchAll(loads)) {
      const path = join(dirname(module), target);
      if (/\.m?js$/.test(target) && existsSync(path)) reached.add(path);
    }
  return reached;
};

/** Static imports. */
const IMPORTS = /(?:^|[\s;])(?:import|export)\s[^"'`;()=]*?["'](\.{1,2}\/[^"']+)["']/g;
/** Imports of either kind, and workers. */
const LOADS = /(?:from|import\s*\(?|new URL\()\s*["'](\.{1,2}\/[^"']+)["']/g;
/** The page, boards that the host lists, and the programs that run in the sandbox, which are found by path. */
const LISTED = /^src\/(features\/[\w-]+\/page\/\w+\.js|tools\/(pictures|pdf)\/child\/\w+\.mjs)$/;

for (const { module, name, exports } of ENTRIES) {
  const first = reachedFrom([join(dist, module)], IMPORTS);
  const bundle = await rolldown({
    input: { [name]: join(dist, module) },
    platform: "node",
    plugins: [keepPlaces],
    external: (id) => !/^[./]/.test(id),
  });
  await bundle.write({
    dir: out,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: `${name}-[hash].js`,
    codeSplitting: { groups: [{ name: "first", test: (id) => first.has(id) }] },
  });
  const from = relative(dirname(join(dist, module)), join(out, `${name}.js`));
  writeFileSync(join(dist, module), `export ${exports} from ${JSON.stringify(from)};\n`);
}

const modules = globSync("{adapters,bin,sandbox,src}/**/*.{js,mjs}", { cwd: dist });
const entries = modules.filter((name) => name === "bin/parley.js" || LISTED.test(name));
const reached = reachedFrom(
  entries.map((name) => join(dist, name)),
  LOADS,
);
for (const name of modules) if (!reached.has(join(dist, name))) rmSync(join(dist, name));
