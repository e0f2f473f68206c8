/** The two runs in the sandbox: looking through a checkout, and making one from an archive. */

import { join } from "node:path";
import type { WorkspaceContext } from "../disk/ground.ts";
import { SANDBOX_PATHS } from "../disk/layout.ts";
import type { Workspace } from "../checkout/record.ts";
import type { Layers } from "../run/copy.ts";
import { FRESH, runAt, unlessNoSpace } from "../run/step.ts";
import { archiveHashOf } from "./archive.ts";

export type ScanResult =
  /** Two checkouts with the same findings are the same, but for what git ignores. */
  | { readonly kind: "found"; readonly findings: string }
  /** It is left as it is; `why` is for the operator. */
  | { readonly kind: "unfit"; readonly why: string };

interface Looked extends Layers {
  readonly drop: string;
  readonly workspace: Workspace;
  readonly packed: boolean;
}

/** With no file of a home, whatever stands there. */
const RUN = { shell: ["/bin/bash", "--noprofile", "--norc"], timeout: 10 * 60_000 } as const;
const FINDINGS = ["tree", "list", "changed", "facts"];

/** `drop`: where the findings go, and what was found where it is to be `packed`; of that user's own. */
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

/** Names that are dangerous on other systems are harmless here: nothing is checked out by them. */
const UNGUARDED = { "core.protectHFS": "false", "core.protectNTFS": "false", "core.looseCompression": "1" };

/** There is more than is kept. */
const TOO_MUCH = 75;
/** Something is there that an archive cannot hold. */
const UNFIT = 76;
/** The commit is not in the mirror. */
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

/** Makes the checkout in the empty directory `work` of that user's own; where it `lasts`, it is on the disk then. */
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

/*
 * What runs inside the sandbox for a checkout that is parked or put back, as the user whose files they are. A git whose
 * own directory is new looks at the files: no hook, filter, alias or setting of the checkout is in force, and no line
 * ending is converted, so that what is compared is bytes. The checkout's own `.git` is never opened by git, only packed.
 */

/** Whatever attributes the checkout has, bytes are compared; and a commit that is not there is said. */
const BEGIN = String.raw`set -euo pipefail
shopt -s inherit_errexit
umask 022
${FRESH}
begin() {
  fresh "$@"
  printf '* -text -eol -ident -filter -working-tree-encoding\n' > "$GIT_DIR/info/attributes"
  git cat-file -e "$3^{tree}" || exit ${NO_COMMIT}
}`;

/**
 * `$1` the checkout, `$2` the mirror's objects, `$3` the commit, `$4` where the findings go, `$5` bytes and `$6` entries
 * that are kept at most, `$7` whether what is listed is packed into `work.tar.gz` beside the findings. Findings: `list`, names of everything that differs from the commit and of `.git` with all that
 * is in it; `changed`, names of the commit's files that are not as they were; `tree`, of all files that git does not
 * ignore; `facts`, type, mode, size, link and hash of what is listed. What git tracks here is told by the names in the
 * checkout's own index, and by nothing else in it.
 */
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

/** `$1` a new directory, `$2` the mirror's objects, `$3` the commit, `$4` the archive, `$5` whether it is to last. */
const UNPACK = String.raw`${BEGIN}
begin "$TMPDIR" "$2" "$3"
git read-tree "$3"
git update-index -z --force-remove --stdin < "$4/changed"
git checkout-index -q -a -f
tar --extract --gzip --file="$4/work.tar.gz" --preserve-permissions --no-same-owner --delay-directory-restore
[ "$5" = no ] || sync -f .`;
