/** Sitemaps, and how far the reading of a site is. Pure. */

import { z } from "zod";
import { jsonIn } from "../../../text/json.ts";

const LOCATION = /<loc>\s*([^<\s]{1,2000})\s*<\/loc>/gi;

/** Addresses of one sitemap that are read; the standard has 50,000 in a file. */
const MOST_LOCATIONS = 50_000;

/** The addresses of a sitemap: of pages, or of further sitemaps where it lists those. */
export const addressesIn = (
  text: string,
): { readonly maps: readonly string[]; readonly pages: readonly string[] } => {
  const found = text.matchAll(LOCATION).take(MOST_LOCATIONS);
  const all = Array.from(found, ([, address = ""]) => address.replaceAll("&amp;", "&"));
  return /<sitemapindex[\s>]/i.test(text) ? { maps: all, pages: [] } : { maps: [], pages: all };
};

const next = z.object({
  /** Sitemaps that are still to be read. */
  maps: z.array(z.string()).readonly(),
  read: z.number(),
  /** Pages that have failed one after the other. */
  failed: z.number(),
});
export type SiteProgress = z.output<typeof next>;

/** Null where it cannot be read: then it begins anew. */
export const readNext = (text: string): SiteProgress | null => next.safeParse(jsonIn(text)).data ?? null;

export const writeNext = (state: SiteProgress): string => JSON.stringify(state);
