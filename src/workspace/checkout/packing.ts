/** Reads a checkout with a new git directory, so that none of the checkout's hooks, filters, aliases or settings apply. */

import type { Mount } from "../../../sandbox/types.ts";
import { makeAsideFor } from "../disk/staging.ts";
import { InTheWay, gitTroubleOf } from "../run/git-trouble.ts";
import { SANDBOX_PATHS, sandboxPathOf } from "../disk/layout.ts";
import { STAGE } from "../run/staging.ts";
import { FRESH, readFrom, runAt } from "../run/step.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import type { Workspace } from "./record.ts";

const TIMEOUT = 5 * 60_000;

interface Packed {
  readonly tree: string;
  /** Null if the mirror has every object. */
  readonly pack: Uint8Array | null;
  /** Commits as the untrusted checkout reports them, the oldest first; empty if unknown. */
  readonly commits: readonly { readonly tree: string; readonly title: string }[];
  /** Submodules in the checkout's index whose directory is missing: moved or removed without git. */
  readonly lost: readonly string[];
}

interface What {
  readonly work: string;
  /** Lower layers of a layered draft; the lowest is a tree of the host, whose index is trusted. */
  readonly under?: NonNullable<Mount["under"]>;
  readonly workspace: Workspace;
  /** Whether to include the commits on top of the workspace's commit. */
  readonly commits?: boolean;
  /** Whether to trust the checkout's index, which is faster: never for a tree that people are shown. */
  readonly quickly?: boolean;
}

/** With more commits than this, the changes count as one commit. */
const MAX_COMMITS = 20;

// `$1` checkout, `$2` mirror's objects, `$3` base commit, `$4` output directory, `$5` most commits, `$6` trusted `.git` or "".
// Without the refresh, `git add` writes even files that the mirror has, because another user cannot touch the mirror's packs.
const SCRIPT = String.raw`set -eu
${FRESH}
${STAGE}
fresh "$4" "$2" "$3"
# Of the objects that are listed, those that the mirror does not have.
lacking() {
  env -u GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_OBJECT_DIRECTORY="$mirror" git cat-file --batch-check='%(objectname)' |
    awk '$2 == "missing" { print $1 }'
}
mirror=$2
# With its time: what was written in the same second is looked into. One that hides files (small letters, S) knows too little.
[ -n "$6" ] && { cp -p "$6/index" "$GIT_INDEX_FILE" && { [ ! -f "$6/made" ] || touch -r "$6/made" "$GIT_INDEX_FILE"; } && git read-tree --reset "$3" && ! git ls-files -v | grep -q '^[a-zS]'; } 2> /dev/null ||
  { rm -f "$GIT_INDEX_FILE"; git read-tree "$3"; }
git update-index -q --refresh > /dev/null 2>&1 || :
stage "$3"
tree=$(git write-tree)
: > "$4/commits"
if [ "$5" -gt 0 ]; then
  export GIT_ALTERNATE_OBJECT_DIRECTORIES="$1/.git/objects"
  {
    head=$(git --git-dir="$1/.git" rev-parse --verify --quiet 'HEAD^{commit}') &&
      git merge-base --is-ancestor "$3" "$head" &&
      git log --first-parent --reverse --max-count=$(($5 + 1)) --format='%T %s' "$3..$head" > "$4/commits" &&
      git rev-list --objects --no-object-names $(cut -d ' ' -f 1 "$4/commits") "^$3^{tree}" > "$4/wanted" &&
      git cat-file --batch-check < "$4/wanted" > "$4/checked" && ! grep -q missing "$4/checked"
  } 2> /dev/null || : > "$4/commits"
fi
if [ -s "$4/commits" ] && [ "$(wc -l < "$4/commits")" -le "$5" ]; then
  git rev-list --objects --no-object-names "$tree" $(cut -d ' ' -f 1 "$4/commits") "^$3^{tree}" > "$4/listed"
else
  : > "$4/commits"
  (cd "$GIT_DIR/objects" && find . -type f -path './[0-9a-f][0-9a-f]/*') | tr -d './' > "$4/listed"
fi
lacking < "$4/listed" | git pack-objects -q --stdout > "$4/pack"
printf '%s\n' "$tree" > "$4/tree"`;

export const packOf = async (world: WorkspaceContext, what: What, signal: AbortSignal): Promise<Packed> => {
  const { work, under = [], workspace, commits = false, quickly = false } = what;
  const { sandbox, layout } = world;
  const { slot } = workspace;
  await using drop = await makeAsideFor(sandbox, layout, "changes", slot);
  const checkout = { source: work, target: SANDBOX_PATHS.work, write: false, under };
  const out = { source: drop.path, target: SANDBOX_PATHS.drop, write: true };
  const lowest = under.map((source) => ({ source, target: SANDBOX_PATHS.source, write: false })).slice(-1);
  const most = commits ? String(MAX_COMMITS) : "0";
  const knowing =
    lowest.length > 0 ? SANDBOX_PATHS.source : quickly ? sandboxPathOf(sandbox, checkout) : null;
  const ran = await runAt(world, workspace, {
    script: SCRIPT,
    given: [checkout, out, most, knowing === null ? "" : `${knowing}/.git`],
    beside: lowest,
    config: MINIMAL,
    timeout: TIMEOUT,
    signal,
  });
  const left = { source: drop.path, slot };
  const said = await readFrom(sandbox, left, "tree", 100);
  const tree = said.kind === "file" ? said.bytes.toString("latin1").trim() : "";
  if (ran.code !== 0 || !IS_ID.test(tree)) {
    const found = gitTroubleOf(ran.text);
    const unsaid = found.kind === "unknown" && found.said === "";
    throw new InTheWay(unsaid ? { kind: "unknown", said: UNREADABLE } : found);
  }
  const pack = await readFrom(sandbox, left, "pack", world.maxPackBytes);
  if (pack.kind === "error")
    throw new InTheWay(
      pack.code === "too_large"
        ? { kind: "tooLarge", limit: world.maxPackBytes }
        : { kind: "host", reason: pack.message },
    );
  const listed = await readFrom(sandbox, left, "commits", MAX_LISTED);
  const made = listed.kind === "file" ? commitsIn(listed.bytes.toString("utf8")) : [];
  const gone = await readFrom(sandbox, left, "lost", MAX_LISTED);
  const lost = gone.kind === "file" ? gone.bytes.toString("utf8").split("\n").filter(Boolean) : [];
  return { tree, pack: isEmptyPack(pack.bytes) ? null : pack.bytes, commits: made, lost };
};

/** Ignores owners, which differ for each command's user, and uses the change time, which commands cannot set. */
const MINIMAL = { "core.checkStat": "minimal", "core.untrackedCache": "false" };

const UNREADABLE = "the checkout could not be read";
const IS_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const MAX_LISTED = 2 ** 20;
const MAX_TITLE = 200;

const commitsIn = (text: string): Packed["commits"] =>
  text.split("\n").flatMap((line) => {
    const [tree = "", ...words] = line.split(" ");
    return IS_ID.test(tree) ? [{ tree, title: words.join(" ").slice(0, MAX_TITLE) }] : [];
  });

/** Signature, version, and the number of objects in four bytes. */
const isEmptyPack = (pack: Buffer): boolean => pack.length < 12 || pack.readUInt32BE(8) === 0;
