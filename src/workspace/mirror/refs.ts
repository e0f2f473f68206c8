export interface Ref {
  readonly name: string;
  readonly id: string;
}

export interface Listing {
  readonly refs: readonly Ref[];
  readonly head: RemoteHead | null;
}

interface RemoteHead {
  /** Full name of the branch; null if HEAD is detached. */
  readonly branch: string | null;
  readonly id: string | null;
}

/** Ref in the mirror for the detached HEAD of a local path. */
export const DETACHED = "refs/parley/head";

const LINE = /^([0-9a-f]{40}|[0-9a-f]{64})[\t ](\S+)$/;
const SYMREF = /^ref: (refs\/heads\/\S+)\tHEAD$/m;

/** Reads `ls-remote --symref`; ignores lines in any other form. */
export const readListing = (text: string): Listing => {
  const all = readRefs(text);
  const branch = SYMREF.exec(text)?.[1] ?? null;
  const id = all.find(({ name }) => name === "HEAD")?.id ?? null;
  const refs = all.filter(({ name }) => isKept(name));
  return { refs, head: branch === null && id === null ? null : { branch, id } };
};

/** Reads `for-each-ref` in the form `objectname refname`. */
export const readRefs = (text: string): readonly Ref[] =>
  text.split("\n").flatMap((line) => {
    const match = LINE.exec(line);
    return match?.[1] === undefined || match[2] === undefined ? [] : [{ id: match[1], name: match[2] }];
  });

const isKept = (name: string): boolean =>
  (name.startsWith("refs/heads/") || name.startsWith("refs/tags/")) && !name.endsWith("^{}");

/** Returns refs of `before` that moved or are missing in `after`: their old targets may no longer be reachable. */
export const movedFrom = (before: readonly Ref[], after: readonly Ref[]): readonly Ref[] => {
  const now = new Map(after.map((ref) => [ref.name, ref.id]));
  return before.filter((ref) => now.get(ref.name) !== ref.id);
};

export const sameRefs = (a: readonly Ref[], b: readonly Ref[]): boolean =>
  a.length === b.length && movedFrom(a, b).length === 0;

export interface BranchTip {
  readonly commit: string;
  /** Short name of the branch or tag, or `HEAD` if detached. */
  readonly ref: string;
  readonly isTag?: boolean;
}

/** Reads `objecttype objectname *objecttype *objectname refname`. A tag precedes a branch. Null without a commit. */
export const namedTip = (text: string, name: string): BranchTip | null => {
  const found = text.split("\n").flatMap((line) => {
    const [type, id, peeledType, peeled, ref] = line.split(" ");
    const commit = type === "commit" ? id : peeledType === "commit" ? peeled : undefined;
    return commit === undefined ? [] : [{ commit, ref }];
  });
  const tag = found.find(({ ref }) => ref === `refs/tags/${name}`);
  if (tag !== undefined) return { commit: tag.commit, ref: name, isTag: true };
  const branch = found.find(({ ref }) => ref === `refs/heads/${name}`);
  return branch === undefined ? null : { commit: branch.commit, ref: name };
};

/** Returns any branch with HEAD's commit if the remote does not name the default branch. */
export const defaultTip = (head: RemoteHead | null, refs: readonly Ref[]): BranchTip | null => {
  if (head === null) return null;
  const detached = refs.find((ref) => ref.name === DETACHED);
  if (head.branch === null && detached !== undefined) return { commit: detached.id, ref: "HEAD" };
  const branches = refs.filter((ref) => ref.name.startsWith("refs/heads/"));
  const at = branches.filter((ref) => ref.id === head.id);
  const named = (name: string): Ref | undefined => at.find((ref) => ref.name === `refs/heads/${name}`);
  const chosen =
    head.branch === null
      ? (named("main") ?? named("master") ?? at[0])
      : branches.find((ref) => ref.name === head.branch);
  return chosen === undefined ? null : { commit: chosen.id, ref: chosen.name.slice("refs/heads/".length) };
};

/** The mirror's branches become remote branches. If `branch` is null, HEAD is detached. */
export const packedRefs = (refs: readonly Ref[], branch: string | null, commit: string): string => {
  const lines = refs.flatMap((ref) => {
    if (ref.name.startsWith("refs/tags/")) return [`${ref.id} ${ref.name}`];
    if (!ref.name.startsWith("refs/heads/")) return [];
    return [`${ref.id} refs/remotes/origin/${ref.name.slice("refs/heads/".length)}`];
  });
  if (branch !== null) lines.push(`${commit} refs/heads/${branch}`);
  return lines.map((line) => `${line}\n`).join("");
};
