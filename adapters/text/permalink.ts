/**
 * Where a forge shows a file at a commit; a page that is cited has its address. Pure. Only for the repository that the
 * conversation is bound to, only https.
 */

import { type Base, type Bound, foldersOf, type Repo } from "../../src/ports/conversation.ts";
import type { Citation } from "../../src/text/citation.ts";

export interface Pinned {
  readonly repo: Bound;
  readonly base: Base | null;
}

/** Where the lines stand; null where the forge is not known, and for what does not stand at the commit. */
export const permalink = (pinned: Pinned, citation: Citation): string | null => {
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
export const changeLink = (pinned: Pinned, { file, now }: Citation): string | null =>
  now?.kind === "changed" && now.commit !== null
    ? commitLink({ ...placeOf(pinned, file), base: { commit: now.commit } })
    : null;

interface Placed extends At {
  /** From the repository's root. */
  readonly file: string | null;
}

/** In the repository that it is in, where there are several. */
const placeOf = (pinned: Pinned, file: string | null): Placed => {
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
  const link = `${forge.root}${forge.file(base.commit, file.split("/").map(encoded).join("/"), from, to)}`;
  return link.length > MOST_LINK ? null : link;
};

/** A longer one would leave no room for the answer. */
const MOST_LINK = 400;

/** The commit itself; null where the forge is not known. */
export const commitLink = ({ repo, base }: At): string | null => {
  const forge = repo.kind === "url" ? forgeOf(repo.location) : null;
  return forge === null || base === null ? null : `${forge.root}${forge.commit(base.commit)}`;
};

interface Forge {
  readonly file: (commit: string, path: string, from: number, to: number) => string;
  readonly commit: (commit: string) => string;
}

/** The address without user names, tokens and the protocol that git speaks. */
const forgeOf = (location: string): (Forge & { readonly root: string }) | null => {
  const scp = /^[\w.-]+@([\w.-]+):(?!\/\/)(.+)$/.exec(location);
  const url = URL.parse(scp === null ? location : `ssh://${scp[1]}/${scp[2]}`);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "ssh:")) return null;
  const path = url.pathname
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .replace(/^\/+/, "");
  const forge = KNOWN.find(([host]) => host.test(url.hostname))?.[1];
  if (forge === undefined || path.split("/").length < 2 || !/^[\w.~/-]+$/.test(path)) return null;
  const port = url.protocol === "https:" && url.port !== "" ? `:${url.port}` : "";
  return { ...forge, root: `https://${url.hostname}${port}/${path}` };
};

const lines = (from: number, to: number, between: string): string =>
  from === to ? `${from}` : `${from}${between}${to}`;

const GITHUB: Forge = {
  file: (commit, path, from, to) => `/blob/${commit}/${path}?plain=1#L${lines(from, to, "-L")}`,
  commit: (commit) => `/commit/${commit}`,
};
const GITLAB: Forge = {
  file: (commit, path, from, to) => `/-/blob/${commit}/${path}?plain=1#L${lines(from, to, "-")}`,
  commit: (commit) => `/-/commit/${commit}`,
};
const GITEA: Forge = {
  file: (commit, path, from, to) => `/src/commit/${commit}/${path}?display=source#L${lines(from, to, "-L")}`,
  commit: (commit) => `/commit/${commit}`,
};
const BITBUCKET: Forge = {
  file: (commit, path, from, to) => `/src/${commit}/${path}#lines-${lines(from, to, ":")}`,
  commit: (commit) => `/commits/${commit}`,
};
const SOURCEHUT: Forge = {
  file: (commit, path, from, to) => `/tree/${commit}/item/${path}#L${lines(from, to, "-")}`,
  commit: (commit) => `/commit/${commit}`,
};

/** By the host's name: a forge of one's own is usually called after what it runs. */
const KNOWN: readonly (readonly [RegExp, Forge])[] = [
  [/^(?:[\w-]+\.)*github(?:\.|-)/i, GITHUB],
  [/^(?:[\w-]+\.)*gitlab(?:\.|-)/i, GITLAB],
  [/^(?:codeberg\.org|(?:[\w-]+\.)*(?:gitea|forgejo)(?:\.|-).*)$/i, GITEA],
  [/^bitbucket\.org$/i, BITBUCKET],
  [/^git\.sr\.ht$/i, SOURCEHUT],
];

const encoded = (part: string): string =>
  encodeURIComponent(part.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`,
  );
