/**
 * Pages of forges that people link to. A bound repository is read with the host's credential. Any other repository is read
 * without a credential, because the credential may read more than the person who posted the link.
 */

import { addressOf, projectName } from "../../ports/address.ts";
import type { Repo } from "../../ports/conversation.ts";
import type { ForgeResult } from "../../ports/forge.ts";
import type { ForgeAccess } from "../../ports/forge-access.ts";
import type { Forges, Project } from "./ports/project.ts";
import { commitResultText, fileResultText, issueResultText, pullResultText } from "./tools/result-texts.ts";

/** `strangers`: projects without credentials. */
export const createPageReader =
  (forges: Forges, strangers: Forges): ForgeAccess["readPage"] =>
  (address, bound, signal) => {
    const page = pageAt(address);
    if (page === null) return null;
    const own = bound.find((repo) => nameOf(repo) === nameOf(page.repo));
    const located = own === undefined ? strangers.at(page.repo) : forges.at(own);
    if (located.kind === "none") return null;
    const read = readPage(located.project, page, signal);
    return own === undefined ? read.then(withReason) : read;
  };

const withReason = (read: ForgeResult<string>): ForgeResult<string> =>
  read.kind === "found" ? read : { ...read, why: `${read.why} ${PUBLIC_ONLY}` };

const PUBLIC_ONLY = "Repositories that are not public are only read in channels that are bound to them.";

const nameOf = (repo: Repo): string | null => {
  const address = addressOf(repo);
  return address === null ? null : projectName(address).toLowerCase();
};

type PageKind =
  | { readonly kind: "issue" | "pull"; readonly number: number }
  | { readonly kind: "commit"; readonly sha: string }
  /** `path`: the name of the branch, tag or commit, followed by the path of the file. */
  | { readonly kind: "file"; readonly path: readonly string[]; readonly lines: Lines | null };

type ForgePage = PageKind & { readonly repo: Repo };

interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Null if the address has no form of GitHub or GitLab. */
const pageAt = (address: URL): ForgePage | null => {
  const [, project = "", kind = "", rest = ""] = FORM.exec(address.pathname) ?? [];
  if (project === "") return null;
  const page = pageOf(kind, rest, address.hash);
  const location = `https://${address.host}/${project}.git`;
  return page === null ? null : { ...page, repo: { kind: "url", location } };
};

const FORM =
  /^\/((?:[\w.-]+\/)+?[\w.-]+)\/(?:-\/)?(issues|work_items|pull|merge_requests|commit|blob)\/([^?#]+)$/;

const pageOf = (kind: string, rest: string, hash: string): PageKind | null => {
  const [first = ""] = rest.split("/");
  if (kind === "commit") return /^[0-9a-f]{7,64}$/i.test(first) ? { kind, sha: first } : null;
  if (kind === "blob") return fileOf(rest, hash);
  const number = /^\d{1,9}$/.test(first) ? Number(first) : 0;
  if (number === 0) return null;
  return { kind: kind === "pull" || kind === "merge_requests" ? "pull" : "issue", number };
};

const fileOf = (rest: string, hash: string): PageKind | null => {
  const path = rest.split("/").map(decoded);
  if (path.length < 2 || path.some((part) => part === null || /(?:^|\/)\.{0,2}(?:\/|$)/.test(part)))
    return null;
  const [, first, last = first] = /^#L(\d{1,7})(?:C\d+)?(?:-L?(\d{1,7}))?/.exec(hash) ?? [];
  const lines = first === undefined ? null : { first: Number(first), last: Number(last) };
  return { kind: "file", path: path.flatMap((part) => part ?? []), lines };
};

const decoded = (part: string): string | null => {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
};

/** Names of branches contain slashes, so that the first parts of the path may all belong to the name. */
const MOST_PARTS = 3;

const readPage = async (
  project: Project,
  page: ForgePage,
  signal: AbortSignal,
): Promise<ForgeResult<string>> => {
  switch (page.kind) {
    case "issue":
      return mapped(await project.issue(page.number, 1, signal), (issue) => issueResultText(issue, 1));
    case "pull":
      return mapped(await project.pull(page.number, signal), (pull) => pullResultText(pull, project));
    case "commit":
      return mapped(await project.commit(page.sha, signal), commitResultText);
    case "file": {
      const { path, lines } = page;
      let first: ForgeResult<string> | null = null;
      for (let parts = 1; parts <= Math.min(MOST_PARTS, path.length - 1); parts += 1) {
        const ref = path.slice(0, parts).join("/");
        const read = await project.file(ref, path.slice(parts).join("/"), signal);
        const told = mapped(read, (file) => fileResultText(file, lines));
        if (told.kind === "found") return told;
        first ??= told;
      }
      return first ?? { kind: "trouble", why: "The address names no file." };
    }
  }
};

const mapped = <T>(read: ForgeResult<T>, tell: (value: T) => string): ForgeResult<string> =>
  read.kind === "found" ? { kind: "found", value: tell(read.value) } : read;
