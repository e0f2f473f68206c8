/** Nothing is rebased (D42). If the forge does not answer in time, the mirror is compared as it is. */

import type { Millis } from "../../machine/id.ts";
import type { DraftMoved } from "../../thread/draft.ts";
import { makeAsideFor } from "../disk/staging.ts";
import { roomOf } from "../checkout/clean-room.ts";
import type { Workspace } from "../checkout/record.ts";
import { attemptGit } from "../run/git-trouble.ts";
import { objectsMount, SANDBOX_PATHS, sandboxPathOf } from "../disk/layout.ts";
import { committer } from "../run/git.ts";
import { generationsOf } from "../mirror/pins.ts";
import { readSource } from "../mirror/source.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import { unwatched } from "../run/shared-work.ts";
import { repositorySlot } from "../disk/slots.ts";
import { FRESH, runStep, unlessNoSpace } from "../run/step.ts";

const TIMEOUT = 60_000;
/** Time limit for the forge. */
const LOOK: Millis = 5_000;
const MOST = 3;

// `$1` working directory, `$2` newest mirror, `$3` clean room, `$4` conversation's commit, `$5` its branch, `$6` draft's tree.
// Prints the number of new commits, the status of the merge (0: merges), and commit titles.
const SCRIPT = String.raw`set -eu
${FRESH}
fresh "$1" "$3/objects" "$4"
tip=$(git --git-dir="$2" rev-parse --verify --quiet "refs/heads/$5^{commit}") || exit 0
count=$(git rev-list --count "$4..$tip")
[ "$count" -gt 0 ] || exit 0
made=$(git commit-tree "$6" -p "$4" < /dev/null)
said=0
git merge-tree --write-tree "$tip" "$made" > /dev/null || said=$?
[ "$said" -le 1 ] || exit 1
printf '%s %s\n' "$count" "$said"
git log --format=%s --max-count=${MOST} "$4..$tip" | cut -b 1-400`;

/** Null if the branch has no new commits, or the conversation did not begin at a branch. */
export const branchProgress = async (
  world: CheckoutParts,
  workspace: Workspace,
  tree: string,
  signal: AbortSignal,
): Promise<DraftMoved | null> => {
  const { sandbox, layout } = world;
  const { id, key, generation, commit, ref, isTag } = workspace;
  if (isTag === true) return null;
  await fetchNow(world, workspace, signal);
  const newest = (await generationsOf(layout, key)).at(-1) ?? generation;
  const slot = repositorySlot(key);
  await using drop = await makeAsideFor(sandbox, layout, "moved", slot);
  const out = { source: drop.path, target: SANDBOX_PATHS.drop, write: true };
  const mirror = { source: layout.generation(key, newest), target: SANDBOX_PATHS.previous, write: false };
  const room = { source: roomOf(layout, id), target: SANDBOX_PATHS.mirror, write: false };
  const objects = objectsMount(layout.generation(key, generation));
  const lent = `${sandboxPathOf(sandbox, objects)}:${sandboxPathOf(sandbox, mirror)}/objects`;
  const ran = await runStep(sandbox, {
    script: SCRIPT,
    given: [out, mirror, room, commit, ref, tree],
    beside: [objects],
    slot,
    env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: lent, ...committer(NOBODY, "@0 +0000") },
    timeout: TIMEOUT,
    signal,
  });
  if (ran.code !== 0) throw unlessNoSpace(ran.text, "the branch could not be compared");
  const [first = "", ...titles] = ran.text.trimEnd().split("\n");
  const [count = 0, said = 1] = first.split(" ").map(Number);
  return count === 0 ? null : { ref, count, titles, merges: said === 0 };
};

/** Updates the mirror. A failure must not delay the card. */
const fetchNow = async (
  { refresh, clock }: CheckoutParts,
  { origin, name }: Workspace,
  signal: AbortSignal,
): Promise<void> => {
  const read = readSource({ kind: origin === null ? "path" : "url", location: origin ?? name });
  if (read.kind === "refused") return;
  const late = new AbortController();
  const cancel = clock.after(LOOK, () => late.abort());
  await attemptGit(() =>
    refresh(read.source, unwatched(AbortSignal.any([signal, late.signal])), clock.now()),
  );
  cancel();
};

/** Author of a temporary commit that people never see. */
const NOBODY = { name: "-", email: "-" };
