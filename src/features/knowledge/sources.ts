/** What a channel can switch on, and how it is called in the index. Pure. */

import {
  type ForgeArchive,
  type Archives,
  FORGE_SOURCE_KINDS,
  type ForgeSourceKind,
  THREAD_ARCHIVE,
} from "../../ports/forge-archive.ts";
import { type RepositoryBinding, severalOf } from "../../ports/conversation.ts";

/** `issues` of the channel's repository, a documentation site, or `threads` of those who read the channel. */
export type KnowledgeSource =
  | { readonly kind: "forge"; readonly what: ForgeSourceKind; readonly archive: ForgeArchive }
  | { readonly kind: "site"; readonly root: URL }
  | { readonly kind: "threads"; readonly community: string };

export const MAX_ADDRESS = 300;

export const forgeSourceKindOf = (entry: string): ForgeSourceKind | null =>
  FORGE_SOURCE_KINDS.find((one) => one === entry) ?? null;

/** The address of a site as it is kept: without a query and a fragment. Null for what is none. */
export const siteOf = (entry: string): URL | null => {
  const url = entry.length > MAX_ADDRESS ? null : URL.parse(entry);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return null;
  url.hash = "";
  url.search = "";
  return url;
};

/** What the addresses of a site's pages begin with. */
export const scopeOf = ({ href }: URL): string => href.slice(0, href.lastIndexOf("/") + 1);

/** The same wherever two channels mean the same. */
export const sourceNameOf = (source: KnowledgeSource): string => {
  switch (source.kind) {
    case "site":
      return source.root.href;
    case "forge":
      return `${source.what} of ${source.archive.name}`;
    case "threads":
      return `solved threads of ${source.community}`;
  }
};

/** What one channel has switched on, and the repository or repositories that it works on. */
export interface Switched {
  readonly entries: readonly string[];
  readonly repo: RepositoryBinding | null;
  /** People who read each other's public channels; absent where there are none. */
  readonly community?: string;
}

/** Each entry that means something for the repositories, with what it means for each of them. */
export const knowledgeSourcesOf = (
  { entries, repo, community }: Switched,
  archives: Archives,
): readonly (readonly [string, KnowledgeSource])[] => {
  const known = archivesOf(repo, archives);
  return entries.flatMap((entry): readonly (readonly [string, KnowledgeSource])[] => {
    if (entry === THREAD_ARCHIVE)
      return community === undefined ? [] : [[entry, { kind: "threads", community }]];
    const what = forgeSourceKindOf(entry);
    if (what !== null)
      return known
        .filter((archive) => archive.lacks(what) === null)
        .map((archive) => [entry, { kind: "forge", what, archive }] as const);
    const root = siteOf(entry);
    return root === null ? [] : [[entry, { kind: "site", root }] as const];
  });
};

/** Of the repositories that are on a forge that is known. */
export const archivesOf = (repo: RepositoryBinding | null, archives: Archives): readonly ForgeArchive[] => {
  if (repo === null) return [];
  const several = severalOf(repo);
  return (several.length === 0 ? [repo] : several).flatMap((one) => archives.of(one) ?? []);
};
