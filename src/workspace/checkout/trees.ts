/** One shared tree for each commit, and one private checkout for each conversation that writes. */

import { chmod, lstat } from "node:fs/promises";
import type { ConversationId } from "../../machine/id.ts";
import { attemptLogged, BrokenOff } from "../run/git-trouble.ts";
import { type CheckoutDeps, makeCheckout } from "./checkout.ts";
import { createSharedWork, type Hooks } from "../run/shared-work.ts";
import { ensureLink, makeAsideFor, putInPlace } from "../disk/staging.ts";
import { homeOf, workOf } from "./policy.ts";
import type { Workspace } from "./record.ts";
import { copySetupInto, linkTree } from "./copy-setup.ts";
import { repositorySlot } from "../disk/slots.ts";

export interface Preparations {
  /** Null if the commit requests no setup. */
  keyOf(workspace: Workspace): Promise<string | null>;
  /** Keeps the files until the result is disposed of; null if there are none yet. */
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
        /* Another caller may have made the directory since the check above. */
        if (!(await isDirectory(directory))) await make(shared);
      });
    return directory;
  };

  /** Tree with only the commit. */
  const plain = (workspace: Workspace, hooks: Hooks): Promise<string> => {
    const { key, generation, commit } = workspace;
    const directory = layout.tree(key, generation, commit);
    const plan = { directory, workspace, slot: repositorySlot(key), isRead: true };
    return ensure(directory, hooks, (shared) => makeCheckout(deps, plan, shared));
  };

  /** Null if there is no setup result or its files could not be added: the commit is then shown alone. */
  const prepared = async (tree: string, workspace: Workspace, hooks: Hooks): Promise<string | null> => {
    const setUp = await setUps.keyOf(workspace);
    if (setUp === null) return null;
    const directory = layout.preparedTree(workspace.key, workspace.generation, workspace.commit, setUp);
    const made = await attemptLogged(deps.log, "setup: result not added to the shared tree", { setUp }, () =>
      ensure(directory, hooks, async () => {
        using borrowed = await setUps.borrow(workspace);
        if (borrowed === null) throw new BrokenOff();
        await linkTree(layout, tree, borrowed.work, directory);
      }),
    );
    return made.kind === "done" ? made.value : null;
  };

  const another = async (workspace: Workspace, directory: string, hooks: Hooks): Promise<void> => {
    using borrowed = await setUps.borrow(workspace);
    const { slot } = workspace;
    const plan = { directory, workspace, slot, branch: branchOf(workspace.id), beside: borrowed?.work };
    await makeCheckout(deps, plan, hooks);
  };

  return {
    plain,
    /** Tree that a conversation sees until it has a private checkout: the commit and the setup's files. */
    shared: async (workspace: Workspace, hooks: Hooks): Promise<string> => {
      const tree = await plain(workspace, hooks);
      const shown = (await prepared(tree, workspace, hooks)) ?? tree;
      if (!deps.sandbox.probe.mounts) await ensureLink(workOf(layout.thread(workspace.id)), shown);
      return shown;
    },
    another,
    /** Never changes an existing checkout or home. */
    own: async (workspace: Workspace, hooks: Hooks): Promise<string> => {
      const thread = layout.thread(workspace.id);
      const work = workOf(thread);
      await makeHome(deps, homeOf(thread), workspace);
      return ensure(work, hooks, (shared) => another(workspace, work, shared));
    },
    existing: async (id: ConversationId): Promise<string | null> => {
      const work = workOf(layout.thread(id));
      return (await isDirectory(work)) ? work : null;
    },
  };
};

export const branchOf = (id: ConversationId): string => `parley/${id}`;

/** Creates the home once; afterwards only the agent changes it. */
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

/** A link does not count: it points to the shared tree. */
const isDirectory = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isDirectory() ?? false;
