import { stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hooks } from "../run/shared-work.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { objectsMount, SANDBOX_PATHS, sandboxPathOf } from "../disk/layout.ts";
import { bareOf, type Generations } from "../mirror/generation.ts";
import { runGit } from "../run/git.ts";
import { packedRefs } from "../mirror/refs.ts";
import { writeCheckoutSkeleton } from "../mirror/skeleton.ts";
import { createMeter } from "../run/progress.ts";
import { copySetupInto } from "./copy-setup.ts";
import { chownToSlot, makeStagingDir, putInPlace } from "../disk/staging.ts";
import { readFrom, stepPolicy } from "../run/step.ts";
import type { Workspace } from "./record.ts";

const CHECKOUT_TIMEOUT = 30 * 60_000;
/** Bytes of the mirror's `shallow` file, which lists a handful of commits. */
const MAX_SHALLOW = 4 * 2 ** 20;
const MAX_HEAD = 4_096;
/** Empty file with the modification time that the index of a shared tree originally had. */
export const MADE = ".git/made";

interface CheckoutPlan {
  /** Nothing exists at this path yet except the link that the checkout replaces (`ensureLink`). */
  readonly directory: string;
  readonly workspace: Workspace;
  readonly slot: number;
  /** If absent, the branch that named the commit; a tag leaves HEAD detached. */
  readonly branch?: string;
  /** Setup files, which are copied before git writes the commit's files. */
  readonly beside?: string | undefined;
  /** No command ever writes to this checkout. */
  readonly isRead?: boolean;
}

export interface CheckoutDeps extends WorkspaceContext {
  readonly generations: Generations;
}

/** Leaves nothing after an abort or a failure. */
export const makeCheckout = async (
  deps: CheckoutDeps,
  { workspace, slot, beside, isRead = false, ...plan }: CheckoutPlan,
  hooks: Hooks,
): Promise<void> => {
  const { sandbox, layout, generations } = deps;
  await using aside = await makeStagingDir(layout, "checkout");
  const bare = bareOf(layout, workspace);
  const objects = objectsMount(bare.directory);
  const { commit, ref, isTag = false } = workspace;
  const branch = plan.branch ?? (ref === "HEAD" || isTag ? null : ref);
  const mirror = { source: bare.directory, slot: bare.slot };
  const [cut, head, refs] = await Promise.all([
    readFrom(sandbox, mirror, "shallow", MAX_SHALLOW),
    readFrom(sandbox, mirror, "HEAD", MAX_HEAD),
    generations.refs(bare),
  ]);
  const known = (name: string | null | undefined): string | null =>
    name != null && refs.some((one) => one.name === `refs/heads/${name}`) ? name : null;
  await writeCheckoutSkeleton(aside.path, workspace, {
    branch,
    packedRefs: packedRefs(refs, branch, commit),
    main: known(head.kind === "file" ? branchIn(head.bytes.toString("utf8")) : null),
    upstream: isTag ? null : known(ref),
    objects: sandboxPathOf(sandbox, objects),
    shallow: cut.kind === "file" ? cut.bytes : null,
    identity: deps.identity,
  });
  await chownToSlot(sandbox, aside.path, slot);
  if (beside !== undefined) await copySetupInto(sandbox, beside, aside.path, slot);

  const work = { source: aside.path, target: SANDBOX_PATHS.work, write: true };
  const policy = stepPolicy(sandbox, [work, objects], slot);
  const { cwd } = policy;
  await runGit(deps, {
    policy,
    directory: `${cwd}/.git`,
    /* Not `checkout`, because only the index and the files must be written. */
    args: ["read-tree", "--reset", "-u", "-v", "HEAD"],
    env: { GIT_WORK_TREE: cwd },
    timeout: CHECKOUT_TIMEOUT,
    signal: hooks.signal,
    onOutput: createMeter(deps.clock, hooks.onProgress, () => undefined),
  });
  if (isRead) await settleIndex(aside.path);
  await putInPlace(aside, plan.directory);
};

const branchIn = (head: string): string | undefined => /^ref: refs\/heads\/(\S+)$/m.exec(head)?.[1];

/** Makes the index newer than its files. Otherwise git rereads all files that are as new as the index on every call. */
const settleIndex = async (directory: string): Promise<void> => {
  const index = join(directory, ".git/index");
  const { mtimeMs } = await stat(index);
  const [then, now] = [mtimeMs / 1_000, Math.floor(mtimeMs / 1_000) + 1];
  await writeFile(join(directory, MADE), "");
  await utimes(join(directory, MADE), then, then);
  await utimes(index, now, now);
};
