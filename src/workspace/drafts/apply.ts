/** Makes the private checkout exactly the tree that people were shown. Ignored files of the draft are not copied. */

import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConversationId, Millis } from "../../machine/id.ts";
import type { ApplyResult, Drafts } from "../../ports/drafts.ts";
import type { DraftResult } from "../../thread/draft.ts";
import { discardTree, makeStagingDir, makeAsideFor } from "../disk/staging.ts";
import { packOf } from "../checkout/packing.ts";
import { draftOf, workOf } from "../checkout/policy.ts";
import type { Workspace } from "../checkout/record.ts";
import { branchOf } from "../checkout/trees.ts";
import { attemptLogged, BrokenOff, InTheWay } from "../run/git-trouble.ts";
import { SANDBOX_PATHS } from "../disk/layout.ts";
import { committer } from "../run/git.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import { unwatched } from "../run/shared-work.ts";
import { STAGE } from "../run/staging.ts";
import { FRESH, readFrom, runAt, unlessNoSpace } from "../run/step.ts";
import { copyInto } from "./open.ts";
import {
  type AppliedRecord,
  type Draft,
  readApplied,
  readSealed,
  writeApplied,
  writeDraft,
} from "../checkout/draft-record.ts";
import { openSealed } from "./seal.ts";
import { findDraft, draftStateOf } from "../checkout/draft-location.ts";
import { SWAP, swapIn } from "./swap.ts";

const TIMEOUT = 5 * 60_000;
const CHANGED = 76;
const INEXACT = 77;

export const applyDraft = async (
  world: CheckoutParts,
  workspace: Workspace,
  what: Parameters<Drafts["apply"]>[1],
  signal: AbortSignal,
): Promise<ApplyResult> => {
  const { id } = workspace;
  const { layout, clock } = world;
  const at = clock.now();
  const room = await openSealed(world, workspace, what.tree, signal);
  const [draft, sealed, before] = await Promise.all([
    findDraft(world, id),
    readSealed(layout, id),
    readApplied(layout, id),
  ]);
  const again = before !== null && before.tree === what.tree && before.base === what.base;
  if (again && (draft === null || draft.from === what.tree)) return answer(before);
  if (draft === null || sealed === null) return { kind: "gone" };
  if (what.base !== workspace.commit || what.base !== sealed.base) return voided(OTHER_BASE);
  const all = sealed.commits.length;
  const commits = sealed.commits.slice(0, what.commits ?? all);
  if (commits.at(-1)?.tree !== what.tree) return voided(OTHER_RESULT);
  if ((await treeOf(world, workspace, draft, signal)) !== sealed.tree) return voided(CHANGED_DRAFT);

  const trees = commits.map(({ tree }) => tree);
  const pack = await room.packTrees(trees, workspace.commit, signal);
  const landed = await land(world, workspace, { pack, commits, from: draft.from, at }, signal);
  if (landed === null) return voided(CHANGED_CHECKOUT);
  const record = { tree: what.tree, base: what.base, ...landed };
  await writeApplied(layout, id, record);
  // The remaining commits can be proposed again, on top of the applied ones.
  if (commits.length < all) await writeDraft(layout, id, { ...draft, from: what.tree, at });
  else await dropDraft(world, id);
  return answer(record);
};

/** Caches the result for one further call, so that a click and its effect read the draft once. */
export const treeOf = async (
  world: CheckoutParts,
  workspace: Workspace,
  draft: Draft,
  signal: AbortSignal,
): Promise<string> => {
  const { id } = workspace;
  const known = world.draftTrees.get(id);
  world.draftTrees.delete(id);
  if (known !== undefined) return known;
  const standing = await draftStateOf(world, workspace, draft);
  const { tree } = await packOf(world, { ...standing, workspace }, signal);
  world.draftTrees.set(id, tree);
  return tree;
};

export const dropDraft = async (
  { draftTrees, layout, log }: CheckoutParts,
  id: ConversationId,
): Promise<void> => {
  draftTrees.delete(id);
  await attemptLogged(log, "draft: draft not removed", { conversation: id }, () =>
    discardTree(layout, draftOf(layout.thread(id)), "draft"),
  );
};

interface Load {
  readonly pack: Uint8Array;
  readonly commits: DraftResult["commits"];
  /** Expected tree of the checkout; null if there was none. */
  readonly from: string | null;
  readonly at: Millis;
}

type Landing = Pick<AppliedRecord, "branch" | "commit">;

/** Null if the checkout differs from the base of the draft. */
const land = async (
  world: CheckoutParts,
  workspace: Workspace,
  { pack, commits, from, at }: Load,
  signal: AbortSignal,
): Promise<Landing | null> => {
  const { sandbox, layout, trees } = world;
  const { id, slot } = workspace;
  const own = await trees.existing(id);
  await using aside = await makeStagingDir(layout, SWAP);
  await using drop = await makeAsideFor(sandbox, layout, "landing", slot);
  const made = workOf(aside.path);
  if (own === null) await trees.another(workspace, made, unwatched(signal));
  else await copyInto(world, { from: { work: own, under: [] }, to: made, slot }, signal);

  await give(join(drop.path, "pack"), pack);
  const plan = commits.map(({ tree, title }) => `${tree} ${oneLine(title)}\n`).join("");
  await give(join(drop.path, "plan"), plan);
  const work = { source: made, target: SANDBOX_PATHS.work, write: true };
  const out = { source: drop.path, target: SANDBOX_PATHS.drop, write: true };
  const ran = await runAt(world, workspace, {
    script: SCRIPT,
    given: [work, out, own === null ? "-" : (from ?? ""), branchOf(id)],
    env: committer(world.identity, `${Math.floor(at / 1_000)} +0000`),
    timeout: TIMEOUT,
    signal,
  });
  if (ran.code === CHANGED) return null;
  if (ran.code !== 0) throw unlessNoSpace(ran.text, ran.code === INEXACT ? NOT_EXACT : NOT_MADE);
  const landed = await readFrom(sandbox, { source: drop.path, slot }, "landed", 1_000);
  const [commit, branch] = landed.kind === "file" ? landed.bytes.toString("utf8").trim().split(" ") : [];
  if (commit === undefined || branch === undefined) throw new InTheWay({ kind: "host", reason: NOT_MADE });

  if (signal.aborted) throw new BrokenOff();
  world.travels?.touch(id);
  await swapIn(layout, id, { aside: aside.path, made });
  return { commit, branch };
};

// `$1` new checkout, `$2` mirror's objects, `$3` conversation's commit, `$4` directory of pack and plan (`tree title` lines),
// `$5` expected tree (empty: the commit's, `-`: any), `$6` branch. No filter, hook or setting of the checkout applies.
const SCRIPT = String.raw`set -eu
${FRESH}
${STAGE}
fresh "$4" "$2" "$3"
[ ! -s "$4/pack" ] || git index-pack --stdin < "$4/pack" > /dev/null
tree=$(sed -n '$ s/ .*//p' "$4/plan")
# One that the host has just made knows its files; nobody else's index is believed.
if [ "$5" = - ]; then cp .git/index "$GIT_INDEX_FILE"; else git read-tree "$3"; fi
stage "$3" > /dev/null
stands=$(git write-tree)
wanted=$5
[ -n "$wanted" ] || wanted=$(git rev-parse "$3^{tree}")
[ "$wanted" = - ] || [ "$stands" = "$wanted" ] || [ "$stands" = "$tree" ] || exit 76
git read-tree --reset -u "$tree"
cp "$GIT_INDEX_FILE" "$4/written"
stage "$tree" > /dev/null
[ "$(git write-tree)" = "$tree" ] || exit 77
[ -d .git ] && [ ! -L .git ] && [ -d .git/objects ] && [ ! -L .git/objects ] || exit 77
mkdir -p .git/objects/pack
for pack in "$GIT_DIR"/objects/pack/*; do [ ! -f "$pack" ] || cp -f "$pack" .git/objects/pack/; done
cp "$4/written" .git/index
export GIT_DIR="$1/.git"
unset GIT_INDEX_FILE GIT_WORK_TREE
head=$(git rev-parse --verify --quiet 'HEAD^{commit}') || head=$3
branch=$(git symbolic-ref --quiet --short HEAD) || branch=
if [ -z "$branch" ] || [ "$(git rev-parse "$head^{tree}")" != "$tree" ]; then
  branch=$6
  # Nobody's commits are left behind without a name.
  if old=$(git rev-parse --verify --quiet "refs/heads/$branch") && ! git merge-base --is-ancestor "$old" "$head"; then
    branch=$6-$(printf '%.9s' "$tree")
  fi
  while IFS=' ' read -r each title; do
    head=$(printf '%s\n' "$title" | git commit-tree "$each" -p "$head")
  done < "$4/plan"
  git update-ref "refs/heads/$branch" "$head"
  git symbolic-ref HEAD "refs/heads/$branch"
fi
[ "$(git rev-parse 'HEAD^{tree}')" = "$tree" ] || exit 77
printf '%s %s\n' "$head" "$branch" > "$4/landed"`;

/** Writes a file into a new directory in which nothing runs yet. */
const give = async (path: string, content: string | Uint8Array): Promise<void> => {
  await writeFile(path, content);
  await chmod(path, 0o644);
};

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim() || "Change";

const answer = ({ branch, commit, tree }: AppliedRecord): ApplyResult => ({
  kind: "applied",
  branch,
  commit,
  tree,
});

const voided = (why: string): ApplyResult => ({ kind: "void", why });

const OTHER_BASE = "The conversation works on another commit than the one that this was shown for.";
const OTHER_RESULT = "Another result was proposed since this one was shown.";
const CHANGED_DRAFT = "The draft has changed since it was shown.";
const CHANGED_CHECKOUT = "The checkout has changed since the draft was made of it.";
const NOT_EXACT = "the checkout would not be exactly what was shown";
const NOT_MADE = "the new checkout could not be made";
