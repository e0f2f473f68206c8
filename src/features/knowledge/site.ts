/**
 * Reads a documentation site a few pages at a time: pages from its sitemaps and links, below the configured address, as far as
 * robots.txt allows. Reading stops at a limit, no matter how large the site is.
 */

import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Millis } from "../../machine/id.ts";
import type { IndexReader, PageRow } from "./read-index.ts";
import type { SourceUpdate, ReadPage, WaitingPage } from "./write-index.ts";
import { MAX_ADDRESS, scopeOf } from "./sources.ts";
import type { Get, Got } from "../../../sandbox/egress/get.ts";
import { pageTypeOf, type PageSource, pageSourceOf } from "../../../adapters/text/page-source.ts";
import type { PageRead } from "../../../adapters/text/page.ts";
import { readRobots, type Robots } from "./site/robots.ts";
import { addressesIn, type SiteProgress, readNext, writeNext } from "./site/sitemap.ts";

export interface SiteDeps {
  readonly get: Get;
  /** Runs in the index thread; null if the page could not be read. */
  readonly readPage: (page: PageSource) => Promise<PageRead | null>;
  readonly waiting: IndexReader["waiting"];
  readonly now: () => Millis;
  readonly most: number;
}

export type SiteStep = Omit<SourceUpdate, "source">;

/** Parley's name in robots.txt. */
const AGENT = "parley";
const MOST_ROBOTS = 512 * 1024;
const MOST_MAP = 10 * 2 ** 20;
const MOST_MAPS = 50;
const MOST_PAGE = 2 * 2 ** 20;
const PAGES = 8;
/** Number of sitemap addresses that are processed at once. */
const PART = 2_000;
const MOST_DEPTH = 12;
/** Number of consecutive failures after which the site is left alone for a while. */
const MOST_FAILED = 24;
/** Wait after a site could not be read, and the longest wait that a site can demand. */
const AGAIN: Millis = 30 * 60_000;
const LONGEST_WAIT: Millis = 24 * 60 * 60_000;
const SAME_ROBOTS: Millis = 60 * 60_000;

export const createSite = ({ get, readPage, waiting, now, most }: SiteDeps) => {
  const kept = new Map<string, { readonly robots: Robots; readonly at: Millis }>();

  /** A missing file forbids nothing; a file that cannot be read at the moment forbids everything. */
  const robotsOf = async ({ origin }: URL, signal: AbortSignal): Promise<Robots | string> => {
    const known = kept.get(origin);
    if (known !== undefined && now() - known.at < SAME_ROBOTS) return known.robots;
    const got = await get({ url: new URL("/robots.txt", origin), most: MOST_ROBOTS, tag: null, signal });
    if (got.kind === "failed") return `Its robots.txt cannot be read: ${got.why}.`;
    if (got.kind === "refused" && (got.status >= 500 || got.status === 429))
      return `Its robots.txt cannot be read (status ${got.status}).`;
    const robots = readRobots(got.kind === "page" ? got.bytes.toString() : "", AGENT);
    kept.set(origin, { robots, at: now() });
    return robots;
  };

  const look = async (root: URL, next: string | null, signal: AbortSignal): Promise<SiteStep> => {
    const robots = await robotsOf(root, signal);
    if (typeof robots === "string") return { due: now() + AGAIN, why: robots };
    if (!robots.mayRead(root))
      return { ended: now(), due: now(), why: "Its robots.txt does not let programs read it." };
    const state = next === null ? null : readNext(next);
    if (state === null) {
      const maps = [
        root.pathname.endsWith(".xml") ? root.href : new URL("/sitemap.xml", root).href,
        ...robots.sitemaps,
      ];
      const first = { maps: [...new Set(maps)], read: 0, failed: 0 };
      return onward(first, [{ address: root.href, depth: 0 }]);
    }
    const [map, ...maps] = state.maps;
    return map === undefined || state.read >= MOST_MAPS
      ? pages(root, robots, state, signal)
      : sitemap(root, map, { ...state, maps, read: state.read + 1 }, signal);
  };

  const onward = (state: SiteProgress, found: readonly WaitingPage[]): SiteStep => {
    return { found, mostPages: most, next: writeNext(state), due: now(), why: null };
  };

  const sitemap = async (
    root: URL,
    map: string,
    state: SiteProgress,
    signal: AbortSignal,
  ): Promise<SiteStep> => {
    const url = URL.parse(map);
    const isOurs = url !== null && url.host === root.host && /^https?:$/.test(url.protocol);
    const mayFollow = (next: URL): boolean => next.host === root.host;
    const got = isOurs ? await get({ url, most: MOST_MAP, tag: null, signal, mayFollow }) : null;
    const { maps, pages: addresses } =
      got?.kind === "page" ? addressesIn(await mapText(got.bytes)) : { maps: [], pages: [] };
    const found: WaitingPage[] = [];
    for (let at = 0; at < addresses.length && found.length < most; at += PART) {
      const part = inScope(addresses.slice(at, at + PART), root);
      found.push(...part.map((address) => ({ address, depth: 1 })));
      await setImmediate();
    }
    return onward({ ...state, maps: [...state.maps, ...maps].slice(0, MOST_MAPS) }, found);
  };

  const pages = async (
    root: URL,
    robots: Robots,
    state: SiteProgress,
    signal: AbortSignal,
  ): Promise<SiteStep> => {
    const { pages: rows, known } = waiting(root.href, robots.pause > 0 ? 1 : PAGES);
    const full = known >= most ? `Only its first ${most} pages are read (PARLEY_KNOWLEDGE_PAGES).` : null;
    if (rows.length === 0) return { ended: now(), due: now(), why: full };
    const read = await Promise.all(rows.map((row) => page(root, row, robots, signal)));
    const limit = read.find((one) => one.wait !== null)?.wait ?? null;
    const failed = read.every(({ why }) => why !== null) ? state.failed + read.length : 0;
    const why = read.find((one) => one.why !== null)?.why ?? null;
    if (failed >= MOST_FAILED)
      return { ended: now(), isPartial: true, due: now() + AGAIN, why: `It was given up: ${why ?? ""}.` };
    const fresh = new Map(read.flatMap(({ found }) => found).map((one) => [one.address, one]));
    return {
      ...onward({ ...state, failed }, [...fresh.values()]),
      leaves: read.flatMap(({ leaves }) => leaves),
      pages: read.flatMap(({ settled }) => settled),
      due: now() + (limit ?? robots.pause),
      why: limit === null ? null : `${root.host} limits how often Parley may ask.`,
    };
  };

  const page = async (root: URL, row: PageRow, robots: Robots, signal: AbortSignal): Promise<PageLook> => {
    const url = new URL(row.address);
    if (!robots.mayRead(url)) return settled(row, "gone");
    // A redirect to another origin is not followed here, because this robots.txt covers only its own origin. A target within
    // the site's scope is read separately.
    const mayFollow = (next: URL): boolean => next.origin === root.origin && robots.mayRead(next);
    const got = await get({ url, most: MOST_PAGE, tag: row.tag, signal, mayFollow });
    if (got.kind === "elsewhere") return settled(row, "gone");
    if (got.kind === "same") return settled(row, "same", row.tag);
    if (got.kind === "failed") return { ...settled(row, "failed"), why: got.why };
    if (got.kind === "refused") return refused(row, got);
    const address = withoutHash(got.url);
    const source = PAGE_TYPES.has(pageTypeOf(got.type)) ? pageSourceOf(got, address) : null;
    // The target of a redirect is read as a separate page if it belongs to this site.
    if (address !== row.address)
      return {
        ...settled(row, "gone"),
        found: inScope([address], root).map((one) => ({ address: one, depth: row.depth })),
      };
    const read = source === null ? null : await readPage(source);
    if (read === null) return settled(row, "gone");
    const links = row.depth >= MOST_DEPTH ? [] : inScope(read.links, root);
    return {
      ...settled(row, "new", got.tag),
      found: links.map((link) => ({ address: link, depth: row.depth + 1 })),
      leaves: (read.isHidden ? [] : read.sections).map((section, index) => ({
        ...section,
        key: `${row.address} ${index}`,
        version: read.version,
        at: now(),
      })),
    };
  };

  return look;
};

interface PageLook {
  readonly leaves: NonNullable<SourceUpdate["leaves"]>;
  readonly found: readonly WaitingPage[];
  /** Empty if the page will be requested again. */
  readonly settled: readonly ReadPage[];
  readonly why: string | null;
  readonly wait: Millis | null;
}

const settled = (
  { address }: PageRow,
  outcome: ReadPage["outcome"],
  tag: string | null = null,
): PageLook => ({
  leaves: [],
  found: [],
  settled: [{ address, outcome, tag }],
  why: null,
  wait: null,
});

const refused = (row: PageRow, { status, wait }: Extract<Got, { readonly kind: "refused" }>): PageLook => {
  if (status === 429 || (status === 503 && wait !== null)) {
    const patience = Math.min(LONGEST_WAIT, Math.max(1_000, wait ?? AGAIN));
    return { ...settled(row, "failed"), settled: [], wait: patience };
  }
  if (status >= 400 && status < 500) return settled(row, "gone");
  return { ...settled(row, "failed"), why: `${row.address} answers with status ${status}` };
};

/** Addresses within the site, each once, without fragment. */
const inScope = (addresses: readonly string[], root: URL): readonly string[] => {
  const scope = scopeOf(root);
  const found = addresses.flatMap((one) => {
    const url = one.length > MAX_ADDRESS ? null : URL.parse(one);
    if (url === null || !url.href.startsWith(scope) || url.username !== "" || NO_PAGE.test(url.pathname))
      return [];
    // Queries are removed, because pages that differ only in their query would make a site endless.
    url.search = "";
    return [withoutHash(url)];
  });
  return [...new Set(found)];
};

const NO_PAGE =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|json|map|xml|gz|zip|tgz|tar|jar|exe|dmg|iso|pdf|mp[34]|webm|woff2?|ttf|eot|wasm|rss|atom)$/i;

const PAGE_TYPES: ReadonlySet<string> = new Set([
  "text/html",
  "application/xhtml+xml",
  "text/plain",
  "text/markdown",
]);

const withoutHash = (url: URL): string => url.href.replace(/#.*$/s, "");

/** Decompresses a packed sitemap outside the event loop, with the size limit of a plain sitemap. */
const mapText = async (bytes: Buffer): Promise<string> => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString();
  const unpacked = await unpack(bytes, { maxOutputLength: MOST_MAP }).catch(() => null);
  return unpacked === null ? "" : unpacked.toString();
};

const unpack = promisify(gunzip);
