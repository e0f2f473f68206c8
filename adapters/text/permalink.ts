/**
 * Returns the forge's address of a file at a commit; a cited page has its own address. Pure. Only for https
 * and the conversation's repository.
 */

import {
  type Base,
  type RepositoryBinding,
  foldersOf,
  pageHost,
  projectPath,
  type Repo,
  repoUrl,
} from "../../src/ports/conversation.ts";
import type { Citation } from "../../src/text/citation.ts";

export interface CommitLocation {
  readonly repo: RepositoryBinding;
  readonly base: Base | null;
}

/**
 * Returns the address of the cited lines; null if the forge is unknown or the lines are not at the commit.
 */
export const permalink = (pinned: CommitLocation, citation: Citation): string | null => {
  if (citation.quote !== undefined) return citation.path.length > MOST_LINK ? null : citation.path;
  const { now } = citation;
  if (now?.kind !== "moved") {
    const placed = placeOf(pinned, citation.file);
    return linkIn(
      citation.at === undefined ? placed : { ...placed, base: { commit: citation.at } },
      citation,
    );
  }
  const { commit, ...lines } = now;
  const { repo, file } = placeOf(pinned, lines.file);
  return linkIn({ repo, base: { commit }, file }, { ...citation, ...lines });
};

/** Returns the address of the commit that changed the lines; null if the forge or the commit is unknown. */
export const changeLink = (pinned: CommitLocation, { file, now }: Citation): string | null =>
  now?.kind === "changed" && now.commit !== null
    ? commitLink({ ...placeOf(pinned, file), base: { commit: now.commit } })
    : null;

interface Placed extends At {
  /** Path from the repository's root. */
  readonly file: string | null;
}

/** Finds the file's repository if there are several. */
const placeOf = (pinned: CommitLocation, file: string | null): Placed => {
  const folder =
    file === null ? undefined : foldersOf(pinned).find(({ name }) => file.startsWith(`${name}/`));
  return folder === undefined || file === null
    ? { repo: pinned.repo, base: pinned.base, file }
    : { repo: folder.repo, base: folder, file: file.slice(folder.name.length + 1) };
};

interface At {
  readonly repo: Repo;
  readonly base: Pick<Base, "commit"> | null;
}

const linkIn = ({ repo, base, file }: Placed, { status, from, to }: Citation): string | null => {
  const forge = repo.kind === "url" ? forgeOf(repo.location) : null;
  if (forge === null || base === null || status !== "found" || file === null) return null;
  const [tree, within, line, through] = forge.spelled;
  const path = `${base.commit}${within}${file.split("/").map(encoded).join("/")}`;
  const link = `${forge.root}${tree}${path}${line}${from === to ? from : `${from}${through}${to}`}`;
  return link.length > MOST_LINK ? null : link;
};

/** A longer address would leave no room for the answer. */
const MOST_LINK = 400;

/** Null if the forge is unknown. */
export const commitLink = ({ repo, base }: At): string | null => {
  const forge = repo.kind === "url" ? forgeOf(repo.location) : null;
  return forge === null || base === null ? null : `${forge.root}${forge.spelled[4]}${base.commit}`;
};

/**
 * Parts of a forge's addresses before a commit, a path, a line, the last of several lines, and a single
 * commit.
 */
type Spelled = readonly [tree: string, within: string, line: string, through: string, commit: string];

/** `root`: https address without user names, tokens and git's protocol. */
const forgeOf = (location: string): { readonly root: string; readonly spelled: Spelled } | null => {
  const url = repoUrl(location);
  if (url === null) return null;
  const path = projectPath(url);
  const spelled = KNOWN.find(([host]) => host.test(url.hostname))?.[1];
  if (spelled === undefined || path.split("/").length < 2 || !/^[\w.~/-]+$/.test(path)) return null;
  return { spelled, root: `https://${pageHost(url)}/${path}` };
};

/** Known forges by host name: a private forge usually has its software in its name. */
const KNOWN: readonly (readonly [RegExp, Spelled])[] = [
  [/^(?:[\w-]+\.)*github(?:\.|-)/i, ["/blob/", "/", "?plain=1#L", "-L", "/commit/"]],
  [/^(?:[\w-]+\.)*gitlab(?:\.|-)/i, ["/-/blob/", "/", "?plain=1#L", "-", "/-/commit/"]],
  [
    /^(?:codeberg\.org|(?:[\w-]+\.)*(?:gitea|forgejo)(?:\.|-).*)$/i,
    ["/src/commit/", "/", "?display=source#L", "-L", "/commit/"],
  ],
  [/^bitbucket\.org$/i, ["/src/", "/", "#lines-", ":", "/commits/"]],
  [/^git\.sr\.ht$/i, ["/tree/", "/item/", "#L", "-", "/commit/"]],
];

const encoded = (part: string): string =>
  encodeURIComponent(part.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`,
  );
