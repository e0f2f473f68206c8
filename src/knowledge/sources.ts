/** What a channel can switch on, and how it is called in the index. Pure. */

import { type Archive, KEPT, type Kept } from "../ports/knowledge/archive.ts";

/** `issues` of the channel's repository, or a documentation site. */
export type Source =
  | { readonly kind: "forge"; readonly what: Kept; readonly archive: Archive }
  | { readonly kind: "site"; readonly root: URL };

export const MAX_ADDRESS = 300;

export const keptOf = (entry: string): Kept | null => KEPT.find((one) => one === entry) ?? null;

/** The address of a site as it is kept: without a query and a fragment. Null for what is none. */
export const siteOf = (entry: string): URL | null => {
  const url = entry.length > MAX_ADDRESS ? null : URL.parse(entry);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return null;
  url.hash = "";
  url.search = "";
  return url;
};

/** The same wherever two channels mean the same. */
export const nameOf = (source: Source): string =>
  source.kind === "site" ? source.root.href : `${source.what} of ${source.archive.name}`;
