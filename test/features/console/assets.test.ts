/** The page's modules as a browser loads them. */

import { expect, it } from "vitest";
import { createAssets } from "../../../src/features/console/assets.ts";

const IMPORT = /^(?:import|export)\s[^;]*?from\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

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
