import { type Drafts, MAX_DRAFT_DIFF, MAX_DRAFT_FILES } from "../../ports/drafts.ts";
import { DELICATE, type Delicate, type DraftCommit, type DraftResult } from "../../thread/draft.ts";
import { type CleanRoom, openCleanRoom } from "../checkout/clean-room.ts";
import { findOwners } from "../checkout/owners.ts";
import { packOf } from "../checkout/packing.ts";
import type { Workspace } from "../checkout/record.ts";
import type { Layers } from "../run/copy.ts";
import { attemptGit, InTheWay } from "../run/git-trouble.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import { EXECUTABLE, LINK, type TreeChange } from "./entries.ts";
import { quotedEntryPath } from "./entry-faults.ts";
import { branchProgress } from "./branch-progress.ts";
import { replacedPointers } from "./pointers.ts";
import { writeDraft, writeSealed } from "../checkout/draft-record.ts";
import { diffOf, movesIn, reviewTree } from "./review.ts";
import { findDraft, draftStateOf } from "../checkout/draft-location.ts";
import { tryOut } from "./try-out.ts";

export const sealDraft = async (
  world: CheckoutParts,
  workspace: Workspace,
  { title, testCommand }: Parameters<Drafts["seal"]>[1],
  signal: AbortSignal,
): ReturnType<Drafts["seal"]> => {
  const { layout, clock } = world;
  const { id, commit: base } = workspace;
  const room = await openCleanRoom(world, workspace);
  const now = clock.now();
  const draft = await findDraft(world, id);
  if (draft === null) return { kind: "none" };
  const standing = await draftStateOf(world, workspace, draft);
  const packed = await takeFrom(world, standing, room, signal).catch(unlessDamaged);
  if (packed === null) return { kind: "refused", message: UNSOUND };
  const { tree } = packed;
  if (packed.lost.length > 0) return { kind: "refused", message: lostMessage(packed.lost) };

  const { from, commits: made } = commitsOf(packed, title, draft.from);
  let entries: readonly TreeChange[] = [];
  const delicate = new Map<string, Delicate>();
  const paths = new Set<string>();
  for (const each of made) {
    const reviewed = await reviewTree(room, { base, tree: each.tree }, signal);
    if (reviewed.kind === "refused") return reviewed;
    ({ entries } = reviewed);
    // A person who applies only the first commits must see their sensitive changes too.
    const pointers = new Set(await replacedPointers(room, entries, signal));
    for (const one of delicateOf(entries, pointers)) delicate.set(`${one.why} ${one.path}`, one);
    for (const { path } of entries) paths.add(path);
  }
  if (entries.length === 0) return { kind: "unchanged" };
  const commits = await measured(room, made, from ?? base, signal);
  const owners = await findOwners(world, workspace, paths);
  if (owners.kind === "refused") return owners;
  const diff = await diffOf(room, { base, tree, most: 4 * MAX_DRAFT_DIFF }, signal);
  const files = withMoves(entries, await movesIn(room, { base, tree }, signal));
  const moved = await branchProgress(world, workspace, tree, signal);
  const test =
    testCommand === undefined
      ? null
      : await tryOut(world, workspace, { command: testCommand, allowed: [] }, signal);

  const result: DraftResult = {
    tree,
    base,
    files: files.slice(0, MAX_DRAFT_FILES),
    filesInAll: files.length,
    added: sum(files, "added"),
    removed: sum(files, "removed"),
    ...cut(diff),
    delicate: DELICATE.flatMap((why) => [...delicate.values()].filter((one) => one.why === why)),
    test,
    commits,
    ...(moved === null ? {} : { moved }),
    ...(owners.kind === "owned" ? { owners: owners.owned } : {}),
  };
  await writeSealed(layout, id, result);
  await writeDraft(layout, id, { ...draft, at: now });
  return { kind: "sealed", result };
};

const unlessDamaged = (error: unknown): null => {
  if (error instanceof InTheWay && error.trouble.kind === "damaged") return null;
  throw error;
};

const takeFrom = async (
  world: CheckoutParts,
  standing: Layers,
  room: CleanRoom,
  signal: AbortSignal,
): ReturnType<typeof packOf> => {
  const packed = await packOf(world, { ...standing, workspace: room.workspace, commits: true }, signal);
  if (packed.pack !== null) await room.take(packed.pack, signal);
  return packed;
};

/** If another host sealed the draft, its objects are read from the draft again. */
export const openSealed = async (
  world: CheckoutParts,
  workspace: Workspace,
  tree: string,
  signal: AbortSignal,
): Promise<CleanRoom> => {
  const room = await openCleanRoom(world, workspace);
  const there = await attemptGit(() => room.ask(["cat-file", "-e", `${tree}^{tree}`], { signal }));
  const draft = there.kind === "trouble" ? await findDraft(world, workspace.id) : null;
  if (draft !== null) await takeFrom(world, await draftStateOf(world, workspace, draft), room, signal);
  return room;
};

/** Commits of the draft, then one more for uncommitted changes; commits that were applied before are left out. */
const commitsOf = (
  { tree, commits: made }: { readonly tree: string; readonly commits: DraftResult["commits"] },
  title: string,
  applied: string | null,
): { readonly from: string | null; readonly commits: DraftResult["commits"] } => {
  const commits = made.at(-1)?.tree === tree ? made : [...made, { title, tree }];
  const last = commits.findLastIndex((one) => one.tree === applied);
  return last < 0 || last === commits.length - 1
    ? { from: null, commits }
    : { from: applied, commits: commits.slice(last + 1) };
};

const measured = async (
  room: CleanRoom,
  commits: DraftResult["commits"],
  from: string,
  signal: AbortSignal,
): Promise<DraftResult["commits"]> => {
  if (commits.length < 2) return commits;
  const found: DraftCommit[] = [];
  let before = from;
  for (const each of commits) {
    const files = await room.differences(before, each.tree, signal);
    found.push({ ...each, files: files.length, added: sum(files, "added"), removed: sum(files, "removed") });
    before = each.tree;
  }
  return found;
};

const withMoves = (
  entries: readonly TreeChange[],
  moves: Awaited<ReturnType<typeof movesIn>>,
): DraftResult["files"] => {
  const before = new Set([...moves.values()].map(({ from }) => from));
  return entries.flatMap(({ path, change, added, removed }) =>
    change === "deleted" && before.has(path) ? [] : [{ path, change, added, removed, ...moves.get(path) }],
  );
};

const sum = (entries: readonly Pick<TreeChange, "added" | "removed">[], of: "added" | "removed"): number =>
  entries.reduce((all, entry) => all + (entry[of] ?? 0), 0);

const cut = (text: string): Pick<DraftResult, "diff" | "isDiffCut"> =>
  text.length <= MAX_DRAFT_DIFF
    ? { diff: text, isDiffCut: false }
    : { diff: text.slice(0, text.lastIndexOf("\n", MAX_DRAFT_DIFF) + 1), isDiffCut: true };

const lostMessage = ([first = "", ...more]: readonly string[]): string =>
  `${quotedEntryPath(first)}${more.length === 0 ? " is a submodule" : ` and ${more.length} more are submodules`} whose directory is missing, but git still lists it: move it with git mv, or remove it with git rm.`;

const UNSOUND =
  "It holds something that git does not take: a file called .git in one spelling or another, or an entry that is damaged.";

/** Files that run on servers with the rights of the repository. */
const WORKFLOW =
  /^(\.github\/(workflows|actions)\/|\.gitlab-ci|\.gitlab\/ci|\.circleci\/|\.buildkite\/|\.woodpecker|\.drone|\.travis\.yml$|\.ci\/|azure-pipelines|bitbucket-pipelines|appveyor\.yml$|\.forgejo\/|\.gitea\/)|(^|\/)(jenkinsfile|action\.ya?ml)$/i;
/** Files that decide who must approve, and how git treats files. */
const OWNERS = /(^|\/)(codeowners|\.gitattributes|\.gitmodules)$/i;
const LOCK =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|deno\.lock|cargo\.lock|go\.sum|poetry\.lock|pdm\.lock|uv\.lock|pipfile\.lock|gemfile\.lock|composer\.lock|mix\.lock|pubspec\.lock|podfile\.lock|package\.resolved|flake\.lock|gradle\.lockfile|packages\.lock\.json)$/i;

const reasonsFor = (
  { path, old, new: now, added }: TreeChange,
  pointers: ReadonlySet<string>,
): readonly Delicate["why"][] =>
  DELICATE.filter((why) => {
    switch (why) {
      case "workflow":
        return WORKFLOW.test(path);
      case "owners":
        return OWNERS.test(path);
      case "lock":
        return LOCK.test(path);
      case "executable":
        return now?.mode === EXECUTABLE && old?.mode !== EXECUTABLE;
      case "binary":
        return now !== null && now.mode !== LINK && added === null;
      case "link":
        return now?.mode === LINK;
      case "pointer":
        return pointers.has(path);
    }
  });

/** Changes that a card shows in a separate line. `pointers`: files whose Git LFS pointer was replaced. */
const delicateOf = (entries: readonly TreeChange[], pointers: ReadonlySet<string>): readonly Delicate[] =>
  entries.flatMap((entry) => reasonsFor(entry, pointers).map((why) => ({ why, path: entry.path })));
