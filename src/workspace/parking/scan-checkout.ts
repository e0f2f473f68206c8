import { join } from "node:path";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { SANDBOX_PATHS } from "../disk/layout.ts";
import type { Workspace } from "../checkout/record.ts";
import type { Layers } from "../run/copy.ts";
import { FRESH, runAt, unlessNoSpace } from "../run/step.ts";
import { archiveHashOf } from "./archive.ts";

export type ScanResult =
  /** Two checkouts with equal findings are equal except for files that git ignores. */
  | { readonly kind: "found"; readonly findings: string }
  /** `why` is for the operator. */
  | { readonly kind: "unfit"; readonly why: string };

interface Looked extends Layers {
  readonly drop: string;
  readonly workspace: Workspace;
  readonly packed: boolean;
}

/** Shell without startup files, whatever the home contains. */
const RUN = { shell: ["/bin/bash", "--noprofile", "--norc"], timeout: 10 * 60_000 } as const;
const FINDINGS = ["tree", "list", "changed", "facts"];

/** `drop`: output directory of the checkout's user. */
export const scanCheckout = async (
  ground: WorkspaceContext,
  { work, under, drop, workspace, packed }: Looked,
  signal: AbortSignal,
): Promise<ScanResult> => {
  const { bytes, entries } = ground.rest;
  const checkout = { source: work, target: SANDBOX_PATHS.work, write: false, under };
  const out = { source: drop, target: SANDBOX_PATHS.drop, write: true };
  const bounds = [String(bytes), String(entries), yesOrNo(packed)];
  const given = [checkout, out, ...bounds] as const;
  const ran = await runAt(ground, workspace, { ...RUN, script: SURVEY, given, config: UNGUARDED, signal });
  const why = UNFITNESS[ran.code] ?? (ran.code === 0 ? null : "it could not be read to its end");
  if (why !== null) return { kind: "unfit", why };
  const hashes = await Promise.all(FINDINGS.map((name) => archiveHashOf(join(drop, name))));
  return { kind: "found", findings: hashes.join(" ") };
};

/** Names that are dangerous on other systems are harmless here, because nothing is checked out under them. */
const UNGUARDED = { "core.protectHFS": "false", "core.protectNTFS": "false", "core.looseCompression": "1" };

const TOO_MUCH = 75;
const UNFIT = 76;
const NO_COMMIT = 77;

const UNFITNESS: Readonly<Record<number, string>> = {
  [TOO_MUCH]: "there is more in it than is kept",
  [UNFIT]: "there is something in it that cannot be kept",
  [NO_COMMIT]: "its commit is not in the mirror",
};

interface Unpacking {
  readonly work: string;
  readonly archive: string;
  readonly workspace: Workspace;
  readonly lasts: boolean;
}

/** If `lasts` is set, the checkout is durable when this resolves. */
export const unpack = async (
  ground: WorkspaceContext,
  { work, archive, workspace, lasts }: Unpacking,
  signal: AbortSignal,
): Promise<"made" | "gone"> => {
  const target = { source: work, target: SANDBOX_PATHS.work, write: true };
  const source = { source: archive, target: SANDBOX_PATHS.archive, write: false };
  const given = [target, source, yesOrNo(lasts)] as const;
  const ran = await runAt(ground, workspace, { ...RUN, script: UNPACK, given, signal });
  if (ran.code === 0) return "made";
  if (ran.code === NO_COMMIT) return "gone";
  throw unlessNoSpace(ran.text, "the checkout could not be put back");
};

const yesOrNo = (is: boolean): string => (is ? "yes" : "no");

/* The scripts below run as the files' owner. Git never opens the checkout's `.git`, which is only packed. */

/** Overrides the checkout's attributes, so that bytes are compared, and reports a missing commit. */
const BEGIN = String.raw`set -euo pipefail
shopt -s inherit_errexit
umask 022
${FRESH}
begin() {
  fresh "$@"
  printf '* -text -eol -ident -filter -working-tree-encoding\n' > "$GIT_DIR/info/attributes"
  git cat-file -e "$3^{tree}" || exit ${NO_COMMIT}
}`;

// `$1` checkout, `$2` mirror's objects, `$3` commit, `$4` output directory, `$5` most bytes, `$6` most entries, `$7` to pack.
// Findings: `list`, names that differ from the commit, and `.git` with its content; `changed`, the commit's files that changed;
// `tree`, of all files that git does not ignore; `facts`, type, mode, size, link and hash of listed entries.
const SURVEY = String.raw`${BEGIN}
commit=$3 out=$4 bytes=$5 entries=$6
[ -d .git ] && [ ! -L .git ] || exit ${UNFIT}
begin "$out" "$2" "$commit"
sum() { awk '{ s += $1 } END { printf "%.0f\n", s }'; }
named() { sed -z 's|^|./|'; }
each() { xargs -0 -r bash -c 'find "$@" '"$1" bash; }
# Drops what git ignores from the names in a file; with an empty index, so that no name is an error.
unignored() {
  GIT_INDEX_FILE="$out/none" git check-ignore -z --no-index --stdin < "$1" > "$1.ignored" || [ $? = 1 ]
  sort -z "$1" > "$1.all"
  sort -z "$1.ignored" | comm -z -23 "$1.all" - > "$1"
}

find . ! -type f ! -type d ! -type l -print0 > "$out/special"
unignored "$out/special"
[ ! -s "$out/special" ] || exit ${UNFIT}
find . -mindepth 1 -path ./.git -prune -o -type d \( -empty -o ! -perm 755 \) -print0 > "$out/directories"
unignored "$out/directories"

if [ -f .git/index ] && [ ! -L .git/index ]; then
  cp .git/index "$out/seen"
  GIT_INDEX_FILE="$out/seen" git ls-files -z -s > "$out/names"
  git update-index -z --index-info < "$out/names"
else
  git read-tree "$commit"
fi
git ls-files -z --others --exclude-standard > "$out/loose"
loose=$(du -c --apparent-size --block-size=1 --files0-from="$out/loose" | tail -n 1 | cut -f 1)
[ "$loose" -le "$bytes" ] || exit ${TOO_MUCH}
git add --all .
git write-tree > "$out/tree"

differing() { git diff-index --cached -z --name-only --no-renames --ignore-submodules=none "$@"; }
differing "$commit" > "$out/changed"
{
  find ./.git -print0
  cat "$out/directories"
  differing --diff-filter=d "$commit" | named
  git ls-files -z | named | each '-maxdepth 0 -type f ! -perm 644 ! -perm 755 -print0'
  git ls-files -z -s | sed -z -n 's/^160000 [^\t]*\t//p' | named | each '-print0'
} | sort -z -u > "$out/list"
[ "$(tr -cd '\000' < "$out/list" | wc -c)" -le "$entries" ] || exit ${TOO_MUCH}
[ "$(each '-maxdepth 0 -type f -printf "%s\n"' < "$out/list" | sum)" -le "$bytes" ] || exit ${TOO_MUCH}
{
  each '-maxdepth 0 -type d -printf "d %m %p\0"' < "$out/list"
  each '-maxdepth 0 -type l -printf "l %l %p\0"' < "$out/list"
  each '-maxdepth 0 -type f -printf "f %m %s %p\0"' < "$out/list"
  each '-maxdepth 0 -type f -print0' < "$out/list" | xargs -0 -r sha256sum -z --
} > "$out/facts"
[ "$7" = no ] || tar --create --format=gnu --sparse --numeric-owner --no-recursion --null --no-unquote \
  --files-from="$out/list" | gzip -n > "$out/work.tar.gz"`;

/** `$1` a new directory, `$2` objects of the mirror, `$3` commit, `$4` archive, `$5` whether the result is made durable. */
const UNPACK = String.raw`${BEGIN}
begin "$TMPDIR" "$2" "$3"
git read-tree "$3"
git update-index -z --force-remove --stdin < "$4/changed"
git checkout-index -q -a -f
tar --extract --gzip --file="$4/work.tar.gz" --preserve-permissions --no-same-owner --delay-directory-restore
[ "$5" = no ] || sync -f .`;
