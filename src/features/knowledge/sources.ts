import {
  type ForgeArchive,
  type Archives,
  FORGE_SOURCE_KINDS,
  type ForgeSourceKind,
  THREAD_ARCHIVE,
} from "../../ports/forge-archive.ts";
import { type RepositoryBinding, severalOf } from "../../ports/conversation.ts";

/**
 * `forge`: issues and other texts of the channel's repository. `site`: a documentation site. `threads`: solved threads of the
 * channel's community.
 */
export type KnowledgeSource =
  | { readonly kind: "forge"; readonly what: ForgeSourceKind; readonly archive: ForgeArchive }
  | { readonly kind: "site"; readonly root: URL }
  | { readonly kind: "threads"; readonly community: string };

export const MAX_ADDRESS = 300;

export const forgeSourceKindOf = (entry: string): ForgeSourceKind | null =>
  FORGE_SOURCE_KINDS.find((one) => one === entry) ?? null;

/** Address of a site in its stored form, without query and fragment. Null if the entry is not a site. */
export const siteOf = (entry: string): URL | null => {
  const url = entry.length > MAX_ADDRESS ? null : URL.parse(entry);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return null;
  url.hash = "";
  url.search = "";
  return url;
};

/** Common prefix of the addresses of a site's pages. */
export const scopeOf = ({ href }: URL): string => href.slice(0, href.lastIndexOf("/") + 1);

/** Equal for the same source in two channels. */
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

export interface Switched {
  readonly entries: readonly string[];
  readonly repo: RepositoryBinding | null;
  /** Community of people who can read each other's public channels; absent if the channel belongs to no community. */
  readonly community?: string;
}

/** Pairs each valid entry with its source, once per repository. */
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

/** Archives of the repositories that are on a known forge. */
export const archivesOf = (repo: RepositoryBinding | null, archives: Archives): readonly ForgeArchive[] => {
  if (repo === null) return [];
  const several = severalOf(repo);
  return (several.length === 0 ? [repo] : several).flatMap((one) => archives.of(one) ?? []);
};
