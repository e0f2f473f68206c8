import type { Answer } from "../../ports/answers.ts";
import type { CitedLines } from "../../ports/commits.ts";
import { foldersOf, type Repo } from "../../ports/conversation.ts";
import { type Citation, type CitationChange, withoutSince } from "../../text/citation.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

interface Part {
  readonly repo: Repo;
  readonly commit: string;
  /** Prefix of each path, if the conversation has several repositories. */
  readonly folder: string;
}

export const citedPartsOf = ({ repo, base }: Pick<Answer, "repo" | "base">): readonly Part[] => {
  const folders = foldersOf({ repo, base });
  if (folders.length > 0)
    return folders.map((one) => ({ repo: one.repo, commit: one.commit, folder: `${one.name}/` }));
  const { kind, location, ref } = repo;
  return [{ repo: omitUndefined({ kind, location, ref }), commit: base.commit, folder: "" }];
};

export const answeredBranchOf = ({ kind, location, ref = "" }: Repo): string => `${kind} ${location} ${ref}`;

export const isPage = ({ quote, status }: Citation): boolean => quote !== undefined && status === "found";

export const isIn = (part: Part, { quote, status, file }: Citation): boolean =>
  quote === undefined && status === "found" && file?.startsWith(part.folder) === true;

/** `looked`: the commit that the answer was last compared with. */
export const linesOf = (
  part: Part,
  { file, from, to, blob, now, at = part.commit }: Citation,
  looked?: string,
): CitedLines => ({
  commit: at,
  file: (file ?? "").slice(part.folder.length),
  from,
  to,
  blob: blob ?? null,
  stood: now?.kind === "changed" ? at : (looked ?? at),
  now: now?.kind === "moved" ? { ...now, file: now.file.slice(part.folder.length) } : (now ?? null),
});

export const withPartChanges = (one: Citation, since: CitationChange | null, folder = ""): Citation => {
  const cited = withoutSince(one);
  if (since === null) return cited;
  return { ...cited, now: since.kind === "moved" ? { ...since, file: `${folder}${since.file}` } : since };
};
