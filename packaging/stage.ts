/**
 * Writes what people install into `dist` or the named folder: JavaScript without types, the console's page,
 * the work modes, the launcher and the guides. Types are removed because Node strips none below
 * `node_modules` (D35). `npm run package` then runs types.ts and builds the tarball.
 */

import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";

const root = resolve(import.meta.dirname, "..");
const dist = resolve(process.argv[2] ?? join(root, "dist"));

const FOLDERS = ["src", "adapters", "sandbox"];
const FILES = ["bin/parley.js", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", ".env.example"];
/**
 * Parley's texts refer to the guides. Their pictures are included if they exist, which is not the case in the
 * image.
 */
const PAGES = /\.(md|png|svg)$/;
/** Files that a running host never reads. */
const LEFT_OUT = ["sandbox/build.ts", "src/machine/tsconfig.json", "adapters/page/tsconfig.json"];

/** Fields of package.json that matter for an installation. */
const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  type: z.string(),
  bin: z.record(z.string(), z.string()),
  engines: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.literal(true) })),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

/**
 * Converts the text to JavaScript. Types become blanks, so that lines and columns stay correct, and imports
 * name the new files.
 */
const plain = (text: string): string =>
  stripTypeScriptTypes(text).replaceAll(
    /((?:from|import\(?|new URL\()\s*["'])(\.{1,2}\/[^"']+)\.ts(["'])/g,
    "$1$2.js$3",
  );

const stage = (): void => {
  rmSync(dist, { recursive: true, force: true });
  for (const folder of FOLDERS) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name).slice(root.length + 1);
      if (!LEFT_OUT.includes(path)) put(path);
    }
  }
  for (const path of FILES) put(path);
  for (const name of readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }))
    if (PAGES.test(name)) put(join("docs", name));
  const text = plain(readFileSync(join(root, "bin/parley.js"), "utf8"));
  writeFileSync(join(dist, "bin/parley.js"), text);
  chmodSync(join(dist, "bin/parley.js"), 0o755);
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  writeFileSync(join(dist, "package.json"), `${JSON.stringify({ ...manifest, os: ["linux"] }, null, 2)}\n`);
};

const put = (path: string): void => {
  const isTyped = path.endsWith(".ts");
  const text = isTyped ? plain(readFileSync(join(root, path), "utf8")) : null;
  // A module with types only has no remaining content and no importer.
  if (text !== null && !/\S/.test(text.replaceAll(COMMENTS, ""))) return;
  const to = join(dist, isTyped ? path.replace(/\.ts$/, ".js") : path);
  mkdirSync(dirname(to), { recursive: true });
  if (text !== null) writeFileSync(to, text);
  else cpSync(join(root, path), to);
};

const COMMENTS = /\/\*[^]*?\*\/|\/\/[^\n]*|;/g;

stage();
