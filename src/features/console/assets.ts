/**
 * Files of the page: `page/` of this feature and of others, `adapters/page`, and libraries. TypeScript is served without its
 * types, which are removed at the first request (no build step). A request either names a file of this list or finds nothing;
 * no path is ever joined to text from a client.
 */

import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
}

const PAGE = join(import.meta.dirname, "page");
const KIT = join(import.meta.dirname, "../../../adapters/page");
const FEATURES = join(import.meta.dirname, "..");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Packages that the page imports; each is one module that browsers can load. */
const VENDOR = ["marked", "dompurify", "eventsource-parser"];

/** Modules that the page shares with the host. */
const SHARED = {
  "/src/i18n/say.js": new URL("../../i18n/say.ts", import.meta.url),
  "/src/text/emoji.js": new URL("../../text/emoji.ts", import.meta.url),
  "/src/text/invisible.js": new URL("../../text/invisible.ts", import.meta.url),
  "/src/text/spelled-diff.js": new URL("../../text/visible-diff.ts", import.meta.url),
};

/** `base`: path of the page below the root; empty for the root. */
export const createAssets = (base: string) => {
  const files = new Map<string, string>([
    ["/", join(PAGE, "index.html")],
    ...filesIn(PAGE, "/page/"),
    ...filesIn(KIT, "/page/kit/"),
    ...pagesOfFeatures(),
    ...VENDOR.map((name): [string, string] => [
      `/vendor/${name}.js`,
      fileURLToPath(import.meta.resolve(name)),
    ]),
    ...Object.entries(SHARED).map(([path, module]): [string, string] => [path, fileURLToPath(module)]),
  ]);
  const addresses = new Map([...files].map(([path, file]) => [file, `${base}${path}`]));
  const loaded = new Map<string, Asset>();
  return {
    /**
     * `path`: the requested path, such as `/` or `/page/app.js`. Null if the path names no file of the page.
     */
    get: async (path: string): Promise<Asset | null> => {
      const file = files.get(path);
      if (file === undefined) return null;
      const known = loaded.get(path);
      if (known !== undefined) return known;
      const text = await readFile(file, "utf8");
      const isOurs = path.endsWith(".js") && !path.startsWith("/vendor/");
      const asset = {
        bytes: Buffer.from(
          isOurs ? script(file, text, base, addresses) : path === "/" ? below(text, base) : text,
        ),
        type: TYPES[extname(path === "/" ? file : path)] ?? "text/plain",
      };
      loaded.set(path, asset);
      return asset;
    },
  };
};

/** Path of the module of a feature's board. */
export const boardOf = (feature: string): string => `${ofFeature(feature)}board.js`;

const ofFeature = (feature: string): string => `/src/features/${feature}/page/`;

const pagesOfFeatures = (): readonly (readonly [string, string])[] =>
  readdirSync(FEATURES)
    .filter((feature) => feature !== "console" && existsSync(join(FEATURES, feature, "page")))
    .flatMap((feature) => filesIn(join(FEATURES, feature, "page"), ofFeature(feature)));

const filesIn = (folder: string, path: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => [`${path}${name.replace(/\.ts$/, ".js")}`, join(folder, name)] as const)
    .filter(([address]) => extname(address) in TYPES);

/** JavaScript for browsers: without types, and with imports replaced by the `addresses` of the files. */
const script = (file: string, text: string, base: string, addresses: ReadonlyMap<string, string>): string =>
  (file.endsWith(".ts") ? withoutTypes(text) : text)
    .replaceAll(/from "(\.{1,2}\/[^"]+)"/g, (whole, target: string) => {
      const address = addresses.get(join(dirname(file), target));
      return address === undefined ? whole : `from "${address}"`;
    })
    .replaceAll(BARE, `from "${base}/vendor/$1.js"`);

/** Puts the page's addresses below the path `base`. */
const below = (html: string, base: string): string => html.replaceAll(/(href|src)="\//g, `$1="${base}/`);

const BARE = new RegExp(`from "(${VENDOR.join("|")})"`, "g");

/**
 * Removes the types. Node warns that the function is experimental, but Node loads this file with the same
 * function.
 */
const withoutTypes = (text: string): string => {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
};
