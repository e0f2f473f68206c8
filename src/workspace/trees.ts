/** The directories that conversations see: one shared tree for each commit, one private checkout for each that writes. */

import { lstat, mkdir } from "node:fs/promises";
import type { ConversationId } from "../core/id.ts";
import { attempt } from "./attempt.ts";
import { type CheckoutDeps, createCheckouts } from "./checkout.ts";
import { createFlights, type Hooks } from "./flight.ts";
import type { Answer } from "./generation.ts";
import { ensureLink } from "./link.ts";
import { handOver } from "./owner.ts";
import { homeOf, workOf } from "./policy.ts";
import type { Workspace } from "./record.ts";
import { repositorySlot } from "./slots.ts";

export interface Trees {
  /** The shared tree, made where it is missing; answers its path. */
  shared(id: ConversationId, workspace: Workspace, hooks: Hooks): Promise<Answer<string>>;
  /** The private checkout and the home, made where they are missing; never touched where they are not. */
  own(id: ConversationId, workspace: Workspace, hooks: Hooks): Promise<Answer<string>>;
  /** Path of the private checkout, or null while there is none. */
  existing(id: ConversationId): Promise<string | null>;
}

export const createTrees = (deps: CheckoutDeps): Trees => {
  const { layout } = deps;
  const checkouts = createCheckouts(deps);
  const flights = createFlights<Answer<null>>();

  const ensure = async (
    directory: string,
    workspace: Workspace,
    who: { readonly slot: number; readonly branch: string | null },
    hooks: Hooks,
  ): Promise<Answer<string>> => {
    if (await isDirectory(directory)) return { kind: "done", value: directory };
    const { key, generation, commit, origin } = workspace;
    const bare = { directory: layout.generation(key, generation), slot: repositorySlot(key) };
    const plan = { directory, bare, commit, origin, ...who };
    const landed = await flights.join(directory, hooks, async (shared) =>
      /* It may have been finished between the look above and this moment. */
      (await isDirectory(directory)) ? { kind: "done", value: null } : checkouts.make(plan, shared),
    );
    if (landed.kind === "aborted") return landed;
    return landed.value.kind === "done" ? { kind: "done", value: directory } : landed.value;
  };

  return {
    shared: async (id, workspace, hooks) => {
      const { key, generation, commit, ref, isTag = false } = workspace;
      const who = { slot: repositorySlot(key), branch: ref === "HEAD" || isTag ? null : ref };
      const tree = await ensure(layout.tree(key, generation, commit), workspace, who, hooks);
      if (tree.kind !== "done" || deps.sandbox.probe.mounts) return tree;
      const linked = await attempt(() => ensureLink(workOf(layout.thread(id)), tree.value));
      return linked.kind === "done" ? tree : linked;
    },
    own: async (id, workspace, hooks) => {
      const home = await attempt(() => makeHome(deps, homeOf(layout.thread(id)), workspace.slot));
      if (home.kind === "trouble") return home;
      const who = { slot: workspace.slot, branch: `parley/${id}` };
      return ensure(workOf(layout.thread(id)), workspace, who, hooks);
    },
    existing: async (id) => {
      const work = workOf(layout.thread(id));
      return (await isDirectory(work)) ? work : null;
    },
  };
};

/** Made once and then the agent's own. */
const makeHome = async ({ sandbox }: CheckoutDeps, directory: string, slot: number): Promise<void> => {
  if (await isDirectory(directory)) return;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await handOver(sandbox, directory, slot);
};

/** A link is not a directory here: it stands for the shared tree. */
const isDirectory = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isDirectory() ?? false;
