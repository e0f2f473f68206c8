import { z } from "zod";
import { jsonIn } from "../../../text/json.ts";

const LOCATION = /<loc>\s*([^<\s]{1,2000})\s*<\/loc>/gi;

/** Maximum number of addresses from one sitemap; the standard allows 50,000 per file. */
const MOST_LOCATIONS = 50_000;

/** Addresses of pages, or of further sitemaps in a sitemap index. */
export const addressesIn = (
  text: string,
): { readonly maps: readonly string[]; readonly pages: readonly string[] } => {
  const found = text.matchAll(LOCATION).take(MOST_LOCATIONS);
  const all = Array.from(found, ([, address = ""]) => address.replaceAll("&amp;", "&"));
  return /<sitemapindex[\s>]/i.test(text) ? { maps: all, pages: [] } : { maps: [], pages: all };
};

const next = z.object({
  maps: z.array(z.string()).readonly(),
  read: z.number(),
  /** Number of consecutive failed pages. */
  failed: z.number(),
});
export type SiteProgress = z.output<typeof next>;

/** Null if the text is invalid; the site is then read from the beginning. */
export const readNext = (text: string): SiteProgress | null => next.safeParse(jsonIn(text)).data ?? null;

export const writeNext = (state: SiteProgress): string => JSON.stringify(state);
