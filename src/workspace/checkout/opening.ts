import type { Sandbox } from "../../../sandbox/types.ts";
import { type Conversation, ownerOf } from "../../ports/conversation.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import type { Hooks } from "../run/shared-work.ts";
import { bareOf } from "../mirror/generation.ts";
import type { RepositorySource } from "../mirror/source.ts";
import type { CheckoutParts } from "./parts.ts";
import { readRecord, type Workspace, writeRecord } from "./record.ts";
import type { BranchTip } from "../mirror/refs.ts";
import { claimSlot } from "../disk/slots.ts";
import { readFrom, runStep } from "../run/step.ts";
import { attemptGit } from "../run/git-trouble.ts";
import { SANDBOX_PATHS } from "../disk/layout.ts";

type Settle = (conversation: Conversation, source: RepositorySource, hooks: Hooks) => Promise<Workspace>;

const MAX_KEPT = 100;

export const createSettle = (world: CheckoutParts): Settle => {
  const kept = createLruCache<readonly string[]>(MAX_KEPT);

  /** Chooses the commit for the conversation's whole life. */
  const anew: Settle = async ({ id, base, repo }, source, hooks) => {
    const { layout, generations, pins } = world;
    const { key, generation, tip } = await world.refresh(source, hooks);
    using _ = pins.hold(key, generation);
    const bare = bareOf(layout, { key, generation });
    const chosen = base ?? (await generations.chosen(bare, repo.ref, tip));
    await pins.add(key, generation, id);
    const slot = await claimSlot(layout.slots, ownerOf(id));
    await generations.keep(bare, id, chosen.commit);
    const { commit, ref, isTag = false }: BranchTip = chosen;
    const at = { commit, ref, ...(isTag ? { isTag } : {}) };
    const origin = source.kind === "url" ? source.url : null;
    const workspace: Workspace = { version: 1, id, slot, key, generation, ...at, origin, name: source.name };
    const tree = await world.trees.shared(workspace, hooks);
    await writeRecord(layout, workspace);
    const name = `${workspace.key}/${workspace.commit}`;
    const found = kept.get(name) ?? (await linesIn(world.sandbox, tree, workspace.slot));
    kept.set(name, found);
    for (const line of [...openingLines(source, workspace), ...found]) hooks.onProgress(line);
    return workspace;
  };

  return async (conversation, source, hooks) => {
    const { id, base } = conversation;
    const known = await readRecord(world.layout, id);
    if (known === null || (base !== null && base.commit !== known.commit))
      return anew(conversation, source, hooks);
    if ((await world.trees.existing(id)) === null) await world.trees.shared(known, hooks);
    return known;
  };
};

const MAX_LISTED = 2 ** 20;

const openingLines = (source: RepositorySource, tip: BranchTip): readonly string[] =>
  source.kind === "path"
    ? [
        `Working from commit ${tip.commit.slice(0, 12)} (${tip.ref}): changes in ${source.name} that are not committed are not included.`,
      ]
    : [];

/** Reads the commit inside the sandbox, because its files may be links to any place. */
const linesIn = async (sandbox: Sandbox, source: string, slot: number): Promise<readonly string[]> => {
  const lines: string[] = [];
  const modules = await readFrom(sandbox, { source, slot }, ".gitmodules", MAX_LISTED);
  if (modules.kind === "file") lines.push("This repository has submodules; they are not fetched.");
  const work = { source, target: SANDBOX_PATHS.work, write: false };
  const step = { script: LFS, given: [work], slot, timeout: LFS_TIMEOUT } as const;
  const lfs = await attemptGit(() => runStep(sandbox, step));
  if (lfs.kind === "done" && lfs.value.text !== "")
    lines.push("This repository keeps large files in Git LFS; only their pointers are here.");
  return lines;
};

const LFS_TIMEOUT = 60_000;
/** Attributes can be in any directory (WG6). */
const LFS =
  "find . -name .git -prune -o -type f -name .gitattributes -exec grep -l '^[^#].*filter=lfs' {} + 2> /dev/null | head -n 1";
