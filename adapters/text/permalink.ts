/**
 * Where a forge shows a file at a commit; a page that is cited has its address. Pure. Only for the repository that the
 * conversation is bound to, only https.
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

/** Where the lines stand; null where the forge is not known, and for what does not stand at the commit. */
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

/** Of the commit that changed the lines; null where the forge or the commit is not known. */
export const changeLink = (pinned: CommitLocation, { file, now }: Citation): string | null =>
  now?.kind === "changed" && now.commit !== null
    ? commitLink({ ...placeOf(pinned, file), base: { commit: now.commit } })
    : null;

interface Placed extends At {
  /** From the repository's root. */
  readonly file: string | null;
}

/** In the repository that it is in, where there are several. */
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

/** A longer one would leave no room for the answer. */
const MOST_LINK = 400;

/** The commit itself; null where the forge is not known. */
export const commitLink = ({ repo, base }: At): string | null => {
  const forge = repo.kind === "url" ? forgeOf(repo.location) : null;
  return forge === null || base === null ? null : `${forge.root}${forge.spelled[4]}${base.commit}`;
};

/** What a forge's addresses have before a commit, a path in it, a line, the last of several, and a commit alone. */
type Spelled = readonly [tree: string, within: string, line: string, through: string, commit: string];

/** `root`: the address without user names, tokens and the protocol that git speaks. */
const forgeOf = (location: string): { readonly root: string; readonly spelled: Spelled } | null => {
  const url = repoUrl(location);
  if (url === null) return null;
  const path = projectPath(url);
  const spelled = KNOWN.find(([host]) => host.test(url.hostname))?.[1];
  if (spelled === undefined || path.split("/").length < 2 || !/^[\w.~/-]+$/.test(path)) return null;
  return { spelled, root: `https://${pageHost(url)}/${path}` };
};

/** By the host's name: a forge of one's own is usually called after what it runs. */
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
