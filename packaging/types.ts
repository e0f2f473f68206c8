/**
 * Adds types to the output of stage.ts in `dist` or the named folder, for scripts that use the console's API:
 * `import type { Snapshot } from "parley/api"`. The package exports only types, because Parley is a program,
 * not a library.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { execa } from "execa";
import { z } from "zod";

const root = resolve(import.meta.dirname, "..");
const dist = resolve(process.argv[2] ?? join(root, "dist"));
const types = join(dist, "types");

const API = "src/features/console/render/api-types";

/** Compiles the API with its imports, without the tsconfig of the complete project. */
const declare = async (): Promise<void> => {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const how = ["--ignoreConfig", "--strict", "--target", "es2024", "--module", "nodenext", "--types", ""];
  const what = ["--allowImportingTsExtensions", "--declaration", "--emitDeclarationOnly"];
  const where = ["--rootDir", root, "--outDir", types, join(root, `${API}.ts`)];
  await execa({ cwd: root, stdio: "inherit" })`${process.execPath} ${[tsc, ...how, ...what, ...where]}`;
};

/** Renames the imports in declarations to the packed file names, and hides the list of catalog sentences. */
const rename = (): void => {
  for (const entry of readdirSync(types, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, "utf8");
    writeFileSync(
      path,
      text
        .replaceAll(/(["']\.{1,2}\/[^"']+)\.ts(["'])/g, "$1.js$2")
        .replaceAll(
          /^import type (\w+) from "\.\/\w+\.json";$/gm,
          "declare const $1: Record<string, string>;",
        ),
    );
  }
};

const tell = (): void => {
  const path = join(dist, "package.json");
  const manifest = z.looseObject({}).parse(JSON.parse(readFileSync(path, "utf8")));
  const exports = { "./api": { types: `./types/${API}.d.ts` }, "./package.json": "./package.json" };
  writeFileSync(path, `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`);
};

if (existsSync(join(root, `${API}.ts`))) {
  await declare();
  rename();
  tell();
}
