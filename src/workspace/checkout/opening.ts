/** Opens a conversation's workspace: at once where it stands, from the mirror where it does not. */

import type { Policy, Sandbox } from "../../../sandbox/types.ts";
import type { Conversation } from "../../ports/conversation.ts";
import { attempt, flat } from "../git-trouble.ts";
import type { Hooks } from "../shared-work.ts";
import type { Answer } from "../mirror/generation.ts";
import type { Source } from "../mirror/source.ts";
import type { WorkspaceParts } from "../parts.ts";
import { holdingOf } from "./holding.ts";
import { policyOf } from "./policy.ts";
import { readRecord, type Workspace, writeRecord } from "./record.ts";
import type { Tip } from "../mirror/refs.ts";

type Settle = (conversation: Conversation, source: Source, hooks: Hooks) => Promise<Answer<Workspace>>;

/** Commits whose lines are kept. */
const MAX_KEPT = 100;

export const createSettle = (world: WorkspaceParts): Settle => {
  const kept = new Map<string, readonly string[]>();
  return (...given) => settle(world, kept, ...given);
};

const settle = async (
  world: WorkspaceParts,
  kept: Map<string, readonly string[]>,
  conversation: Conversation,
  source: Source,
  hooks: Hooks,
): Promise<Answer<Workspace>> => {
  const { id, base } = conversation;
  const swept = await world.swept();
  if (swept.kind !== "done") return swept;
  const known = await readRecord(world.layout, id);
  if (known === null || (base !== null && base.commit !== known.commit)) {
    return settleAnew(world, kept, conversation, source, hooks);
  }
  if ((await world.trees.existing(id)) !== null) return { kind: "done", value: known };
  const tree = await world.trees.shared(id, known, hooks);
  return tree.kind === "done" ? { kind: "done", value: known } : tree;
};

const settleAnew = async (
  world: WorkspaceParts,
  kept: Map<string, readonly string[]>,
  conversation: Conversation,
  source: Source,
  hooks: Hooks,
): Promise<Answer<Workspace>> => {
  const { id, base, repo } = conversation;
  const arranged = await world.arrange(id, source, { base, version: repo.ref ?? null }, hooks);
  if (arranged.kind !== "done") return arranged;
  const { workspace, release } = arranged.value;
  const made = await attempt(async (): Promise<Answer<Workspace>> => {
    const tree = await world.trees.shared(id, workspace, hooks);
    if (tree.kind !== "done") return tree;
    await writeRecord(world.layout, id, workspace);
    const policy = policyOf(holdingOf(world, id, workspace, "restricted", { work: tree.value, under: [] }));
    /* Looked at as the host's own step: also where the kernel cannot hold Restricted. */
    const look: Policy = { ...policy, profile: "setup" };
    const name = `${workspace.key}/${workspace.commit}`;
    const found = kept.get(name) ?? (await linesIn(world.sandbox, look));
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(name, found);
    for (const line of [...openingLines(source, workspace), ...found]) hooks.onProgress(line);
    return { kind: "done", value: workspace };
  });
  release();
  return flat(made);
};

const MAX_LISTED = 2 ** 20;

const openingLines = (source: Source, tip: Tip): readonly string[] =>
  source.kind === "path"
    ? [
        `Working from commit ${tip.commit.slice(0, 12)} (${tip.ref}): changes in ${source.name} that are not committed are not included.`,
      ]
    : [];

/** Looks at the commit from inside the sandbox: its files may be links to anywhere. */
const linesIn = async (sandbox: Sandbox, policy: Policy): Promise<readonly string[]> => {
  const lines: string[] = [];
  const modules = await sandbox.get(policy, `${policy.cwd}/.gitmodules`, MAX_LISTED);
  if (modules.kind === "file") lines.push("This repository has submodules; they are not fetched.");
  const attributes = await sandbox.get(policy, `${policy.cwd}/.gitattributes`, MAX_LISTED);
  if (attributes.kind === "file" && attributes.bytes.includes("filter=lfs")) {
    lines.push("This repository keeps large files in Git LFS; only their pointers are here.");
  }
  return lines;
};
