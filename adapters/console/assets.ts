/**
 * The files of the page: what lies in `page/` and the two libraries it uses, served as they are (no build step).
 * A request names a file of this list or nothing; no path is ever joined to what a client sent.
 */

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";

export interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

export interface Assets {
  /** `path` as requested, such as `/` or `/page/app.js`. Null for anything that is not a file of the page. */
  get(path: string): Promise<Asset | null>;
}

const PAGE = join(import.meta.dirname, "page");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

export const createAssets = (): Assets => {
  const files = new Map<string, string>([
    ["/", join(PAGE, "index.html")],
    ...readdirSync(PAGE, { recursive: true, encoding: "utf8" })
      .filter((name) => extname(name) !== "")
      .map((name): [string, string] => [`/page/${name}`, join(PAGE, name)]),
    ...vendor(),
  ]);
  const loaded = new Map<string, Asset>();
  return {
    get: async (path) => {
      const file = files.get(path);
      if (file === undefined) return null;
      const known = loaded.get(path);
      if (known !== undefined) return known;
      const bytes = await readFile(file);
      const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
      const asset = { bytes, etag, type: TYPES[extname(path === "/" ? file : path)] ?? "text/plain" };
      loaded.set(path, asset);
      return asset;
    },
  };
};

/** The browser builds of marked and DOMPurify, as their packages ship them. */
const vendor = (): readonly [string, string][] => {
  const { resolve } = createRequire(import.meta.url);
  return [
    ["/vendor/marked.js", join(dirname(resolve("marked/package.json")), "lib/marked.esm.js")],
    ["/vendor/purify.js", join(dirname(resolve("dompurify")), "purify.es.mjs")],
  ];
};
