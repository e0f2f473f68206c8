/**
 * The directories that conversations see: one shared tree for each commit, one private checkout for each that writes. Where
 * the repository's set-up is done, what it left is in both.
 */

import { chmod, lstat } from "node:fs/promises";
import type { ConversationId } from "../../machine/id.ts";
import { attemptLogged, BrokenOff } from "../run/git-trouble.ts";
import { type CheckoutDeps, makeCheckout } from "./checkout.ts";
import { createSharedWork, type Hooks } from "../run/shared-work.ts";
import { ensureLink, makeAsideFor, putInPlace } from "../disk/aside.ts";
import { homeOf, workOf } from "./policy.ts";
import type { Workspace } from "./record.ts";
import { copySetupInto, linkTree } from "./lend.ts";
import { repositorySlot } from "../disk/slots.ts";

/** Files that the repository's set-up left for the commit of a conversation. */
export interface Preparations {
  /** Name of the set-up that the commit asks for; null where it asks for none. */
  keyOf(workspace: Workspace): Promise<string | null>;
  /** Its files, kept until the result is disposed of; null if there are none yet. */
  borrow(
    workspace: Workspace,
  ): Promise<({ readonly work: string; readonly home: string } & Disposable) | null>;
}

interface TreesDeps extends CheckoutDeps {
  readonly setUps: Preparations;
}

export type Trees = ReturnType<typeof createTrees>;

export const createTrees = (deps: TreesDeps) => {
  const { layout, setUps } = deps;
  const flights = createSharedWork<void>();

  const ensure = async (
    directory: string,
    hooks: Hooks,
    make: (shared: Hooks) => Promise<void>,
  ): Promise<string> => {
    if (!(await isDirectory(directory)))
      await flights.join(directory, hooks, async (shared) => {
        /* It may have been finished between the look above and this moment. */
        if (!(await isDirectory(directory))) await make(shared);
      });
    return directory;
  };

  /** The commit and nothing else, made where it is missing; answers its path. */
  const plain = (workspace: Workspace, hooks: Hooks): Promise<string> => {
    const { key, generation, commit } = workspace;
    const directory = layout.tree(key, generation, commit);
    const plan = { directory, workspace, slot: repositorySlot(key), isRead: true };
    return ensure(directory, hooks, (shared) => makeCheckout(deps, plan, shared));
  };

  /** Null where there is nothing to add: the commit alone is shown then, however that came to be. */
  const prepared = async (tree: string, workspace: Workspace, hooks: Hooks): Promise<string | null> => {
    const setUp = await setUps.keyOf(workspace);
    if (setUp === null) return null;
    const directory = layout.preparedTree(workspace.key, workspace.generation, workspace.commit, setUp);
    const made = await attemptLogged(deps.log, "what a set-up left could not be shown", { setUp }, () =>
      ensure(directory, hooks, async () => {
        using borrowed = await setUps.borrow(workspace);
        if (borrowed === null) throw new BrokenOff();
        await linkTree(layout, tree, borrowed.work, directory);
      }),
    );
    return made.kind === "done" ? made.value : null;
  };

  /** A checkout as `own` would make it, at a place where nothing is yet. */
  const another = async (workspace: Workspace, directory: string, hooks: Hooks): Promise<void> => {
    using borrowed = await setUps.borrow(workspace);
    const { slot } = workspace;
    const plan = { directory, workspace, slot, branch: branchOf(workspace.id), beside: borrowed?.work };
    await makeCheckout(deps, plan, hooks);
  };

  return {
    plain,
    /** What a conversation sees until it has a checkout of its own: the commit, and what its set-up left. */
    shared: async (workspace: Workspace, hooks: Hooks): Promise<string> => {
      const tree = await plain(workspace, hooks);
      const shown = (await prepared(tree, workspace, hooks)) ?? tree;
      if (!deps.sandbox.probe.mounts) await ensureLink(workOf(layout.thread(workspace.id)), shown);
      return shown;
    },
    another,
    /** The private checkout and the home, made where they are missing; never touched where they are not. */
    own: async (workspace: Workspace, hooks: Hooks): Promise<string> => {
      const thread = layout.thread(workspace.id);
      const work = workOf(thread);
      await makeHome(deps, homeOf(thread), workspace);
      return ensure(work, hooks, (shared) => another(workspace, work, shared));
    },
    /** Path of the private checkout, or null while there is none. */
    existing: async (id: ConversationId): Promise<string | null> => {
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
): Promise<void> => {
  if (await isDirectory(directory)) return;
  const { slot } = workspace;
  await using aside = await makeAsideFor(sandbox, layout, "home", slot);
  using borrowed = await setUps.borrow(workspace);
  if (borrowed !== null) await copySetupInto(sandbox, borrowed.home, aside.path, slot);
  await chmod(aside.path, 0o700);
  await putInPlace(aside, directory);
};

/** A link is not a directory here: it stands for the shared tree. */
const isDirectory = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isDirectory() ?? false;
