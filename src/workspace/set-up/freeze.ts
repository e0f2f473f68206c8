/**
 * Leaves of a checkout in which a set-up ran what git ignores at the commit, and nothing else: the commit's own files
 * come from git in every tree, and what git would show as a change is nobody's. Runs in the sandbox as the set-up did,
 * with an index of its own: what the set-up made of `.git` counts for nothing.
 */

import { FRESH } from "../step.ts";

/**
 * `$1` the checkout, `$2` the mirror's objects, `$3` the commit, `$4` the home. Answers KiB and number of files. The
 * commit's own `.gitignore` files are put back first: they decide.
 */
export const FREEZE = `set -eu
cd "$1"
rm -rf .git
GIT_DIR="$TMPDIR/freeze.git" GIT_INDEX_FILE="$TMPDIR/freeze.index" GIT_WORK_TREE="$1"
export GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
${FRESH}
fresh "$2" "$3"
git read-tree "$3"
git ls-files -z -- .gitignore '**/.gitignore' | git checkout-index -q -z -f --stdin
git clean -ffdq
git ls-files -z | xargs -0 -r rm -rf --
git ls-tree -r -d -z --name-only "$3" | sort -z -r | xargs -0 -r rmdir --ignore-fail-on-non-empty -- 2> /dev/null || :
find "$1" "$4" ! -type d ! -type f ! -type l -exec rm -f -- {} +
chmod -R u+rwX,go+rX,go-w,u-s,g-s "$1" "$4"
du -skc -- "$1" "$4" | tail -n 1 | cut -f 1
find "$1" "$4" | wc -l`;

/** What FREEZE answered; null where it did not. Pure. */
export const readFrozen = (text: string): { readonly bytes: number; readonly files: number } | null => {
  const [, size = "", count = ""] = /^\s*(\d+)\s+(\d+)\s*$/.exec(text) ?? [];
  return size === "" ? null : { bytes: Number(size) * 1_024, files: Number(count) };
};
