/** The page's modules as a browser loads them. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createAssets } from "../../../src/features/console/assets.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FEATURES = join(ROOT, "src/features");
const PAGES = [
  join(ROOT, "adapters/page"),
  ...readdirSync(FEATURES)
    .map((feature) => join(FEATURES, feature, "page"))
    .filter((folder) => existsSync(folder)),
];
/** Pictures, and drawings that few text fonts have. */
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Presentation}|[\u2300-\u23ff\u22ee-\u22f1\u25a0-\u27bf]/gu;

const IMPORT = /^(?:import|export)\s[^;]*?from\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

it("no file of the page writes a character that only an emoji font has", async () => {
  const files = PAGES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:ts|html|css|svg)$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(30);
  const found = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(EMOJI)].map(([sign]) => `${file}: ${sign}`),
  );
  expect(found).toEqual([]);
  expect("👍 👎 ☑ ☐ ⋯".match(EMOJI)).toHaveLength(5);
});

it("40.C4 every module that the page imports is served: a single one that is missing leaves an empty page", async () => {
  const assets = createAssets("");
  const found = new Set<string>();
  const missing: string[] = [];
  const visit = async (path: string, from: string): Promise<void> => {
    if (found.has(path)) return;
    found.add(path);
    const asset = await assets.get(path);
    if (asset === null) return void missing.push(`${path}, which ${from} imports`);
    const named = [...asset.bytes.toString("utf8").matchAll(IMPORT)].map(
      ([, one, other]) => one ?? other ?? "",
    );
    const paths = named
      .filter((name) => /^[./]/.test(name))
      .map((name) => new URL(name, `http://page${path}`));
    for (const { pathname } of paths) await visit(pathname, path);
  };
  await visit("/page/app.js", "the document");
  expect(missing).toEqual([]);
  // The page shares modules with the host.
  expect(found.size).toBeGreaterThan(20);
  expect([...found].some((path) => path.startsWith("/src/"))).toBe(true);
});
