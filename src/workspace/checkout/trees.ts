/**
 * The directories that conversations see: one shared tree for each commit, one private checkout for each that writes. Where
 * the repository's set-up is done, what it left is in both.
 */

import { chmod, lstat, mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { ConversationId } from "../../machine/id.ts";
import { attempt } from "../git-trouble.ts";
import { type CheckoutDeps, createCheckouts } from "./checkout.ts";
import { createSharedWork, type Hooks } from "../shared-work.ts";
import type { Answer } from "../mirror/generation.ts";
import { ensureLink, makeAsideFor, removeTree } from "../aside.ts";
import { homeOf, workOf } from "./policy.ts";
import type { Workspace } from "./record.ts";
import { copyInto, linkTree } from "../set-up/lend.ts";
import type { SetUps } from "../set-up/set-ups.ts";
import { repositorySlot } from "../slots.ts";

export interface Trees {
  /** The commit and nothing else, made where it is missing; answers its path. */
  plain(workspace: Workspace, hooks: Hooks): Promise<Answer<string>>;
  /** What a conversation sees until it has a checkout of its own: the commit, and what its set-up left. */
  shared(id: ConversationId, workspace: Workspace, hooks: Hooks): Promise<Answer<string>>;
  /** The private checkout and the home, made where they are missing; never touched where they are not. */
  own(id: ConversationId, workspace: Workspace, hooks: Hooks): Promise<Answer<string>>;
  /** A checkout as `own` would make it, at a place where nothing is yet. */
  another(id: ConversationId, workspace: Workspace, directory: string, hooks: Hooks): Promise<Answer<null>>;
  /** Path of the private checkout, or null while there is none. */
  existing(id: ConversationId): Promise<string | null>;
}

interface TreesDeps extends CheckoutDeps {
  readonly setUps: Pick<SetUps, "keyOf" | "borrow">;
}

export const createTrees = (deps: TreesDeps): Trees => {
  const { layout, setUps } = deps;
  const checkouts = createCheckouts(deps);
  const flights = createSharedWork<Answer<null>>();

  const ensure = async (
    directory: string,
    hooks: Hooks,
    make: (shared: Hooks) => Promise<Answer<null>>,
  ): Promise<Answer<string>> => {
    if (await isDirectory(directory)) return { kind: "done", value: directory };
    const landed = await flights.join(directory, hooks, async (shared) =>
      /* It may have been finished between the look above and this moment. */
      (await isDirectory(directory)) ? { kind: "done", value: null } : make(shared),
    );
    if (landed.kind === "aborted") return landed;
    return landed.value.kind === "done" ? { kind: "done", value: directory } : landed.value;
  };

  const planOf = (directory: string, { key, generation, commit, origin }: Workspace) => ({
    directory,
    bare: { directory: layout.generation(key, generation), slot: repositorySlot(key) },
    commit,
    origin,
  });

  const plain: Trees["plain"] = (workspace, hooks) => {
    const { key, generation, commit, ref, isTag = false } = workspace;
    const directory = layout.tree(key, generation, commit);
    const who = { slot: repositorySlot(key), branch: ref === "HEAD" || isTag ? null : ref };
    const plan = { ...planOf(directory, workspace), ...who };
    return ensure(directory, hooks, (shared) => checkouts.make(plan, shared));
  };

  /** Null where there is nothing to add: the commit alone is shown then, however that came to be. */
  const prepared = async (tree: string, workspace: Workspace, hooks: Hooks): Promise<string | null> => {
    const setUp = await setUps.keyOf(workspace);
    if (setUp === null) return null;
    const directory = layout.preparedTree(workspace.key, workspace.generation, workspace.commit, setUp);
    const made = await ensure(directory, hooks, async () => {
      const borrowed = await setUps.borrow(workspace);
      if (borrowed === null) return { kind: "aborted" };
      const linked = await attempt(() => linkTree(layout, tree, borrowed.prepared, directory));
      borrowed.release();
      if (linked.kind === "done") return { kind: "done", value: null };
      deps.log.warn("what a set-up left could not be shown", { setUp, trouble: linked.trouble.kind });
      return linked;
    });
    return made.kind === "done" ? made.value : null;
  };

  const another: Trees["another"] = async (id, workspace, directory, hooks) => {
    const borrowed = await attempt(() => setUps.borrow(workspace));
    if (borrowed.kind === "trouble") return borrowed;
    const beside = borrowed.value?.prepared.work ?? null;
    const who = { slot: workspace.slot, branch: branchOf(id), beside };
    try {
      return await checkouts.make({ ...planOf(directory, workspace), ...who }, hooks);
    } finally {
      borrowed.value?.release();
    }
  };

  const makeOwn = async (id: ConversationId, workspace: Workspace, hooks: Hooks): Promise<Answer<string>> => {
    const housed = await attempt(() => makeHome(deps, homeOf(layout.thread(id)), workspace));
    if (housed.kind === "trouble") return housed;
    if (housed.value.kind !== "done") return housed.value;
    const directory = workOf(layout.thread(id));
    return ensure(directory, hooks, (shared) => another(id, workspace, directory, shared));
  };

  return {
    plain,
    shared: async (id, workspace, hooks) => {
      const tree = await plain(workspace, hooks);
      if (tree.kind !== "done") return tree;
      const value = (await prepared(tree.value, workspace, hooks)) ?? tree.value;
      if (deps.sandbox.probe.mounts) return { kind: "done", value };
      const linked = await attempt(() => ensureLink(workOf(layout.thread(id)), value));
      return linked.kind === "done" ? { kind: "done", value } : linked;
    },
    another,
    own: async (id, workspace, hooks) => {
      const [work, home] = [workOf(layout.thread(id)), homeOf(layout.thread(id))];
      return (await isDirectory(work)) && (await isDirectory(home))
        ? { kind: "done", value: work }
        : makeOwn(id, workspace, hooks);
    },
    existing: async (id) => {
      const work = workOf(layout.thread(id));
      return (await isDirectory(work)) ? work : null;
    },
  };
};

/** Of a conversation that has a checkout of its own. */
export const branchOf = (id: ConversationId): string => `parley/${id}`;

/** Made once and then the agent's own; with what a set-up left in its home, whole or not at all. */
export const makeHome = async (
  { sandbox, layout, setUps }: Pick<TreesDeps, "sandbox" | "layout" | "setUps">,
  directory: string,
  workspace: Workspace,
): Promise<Answer<null>> => {
  if (await isDirectory(directory)) return { kind: "done", value: null };
  const { slot } = workspace;
  const aside = await makeAsideFor(sandbox, layout, "home", slot);
  const borrowed = await setUps.borrow(workspace);
  const copied: Answer<null> =
    borrowed === null
      ? { kind: "done", value: null }
      : await copyInto(sandbox, borrowed.prepared.home, aside, slot).finally(borrowed.release);
  if (copied.kind !== "done") {
    await removeTree(aside);
    return copied;
  }
  await chmod(aside, 0o700);
  await mkdir(dirname(directory), { recursive: true });
  await rename(aside, directory);
  return copied;
};

/** A link is not a directory here: it stands for the shared tree. */
const isDirectory = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isDirectory() ?? false;
