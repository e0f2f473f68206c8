/** What a channel can switch on, and how it is called in the index. Pure. */

import { type Archive, type Archives, KEPT, type Kept } from "../ports/knowledge/archive.ts";
import type { Repo } from "../ports/conversation.ts";

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

/** What one channel has switched on, and the repository that it works on. */
export interface Switched {
  readonly entries: readonly string[];
  readonly repo: Repo | null;
}

/** Each entry that means something for the repository, with what it means. */
export const sourcesOf = (
  { entries, repo }: Switched,
  archives: Archives,
): readonly (readonly [string, Source])[] => {
  const archive = repo === null ? null : archives.of(repo);
  return entries.flatMap((entry) => {
    const source = sourceOf(entry, archive);
    return source === null ? [] : [[entry, source] as const];
  });
};

const sourceOf = (entry: string, archive: Archive | null): Source | null => {
  const what = keptOf(entry);
  if (what !== null) return archive === null ? null : { kind: "forge", what, archive };
  const root = siteOf(entry);
  return root === null ? null : { kind: "site", root };
};
