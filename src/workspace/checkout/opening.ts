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

export const settle = async (
  world: WorkspaceParts,
  conversation: Conversation,
  source: Source,
  hooks: Hooks,
): Promise<Answer<Workspace>> => {
  const { id, base } = conversation;
  const swept = await world.swept();
  if (swept.kind !== "done") return swept;
  const known = await readRecord(world.layout, id);
  if (known === null || (base !== null && base.commit !== known.commit)) {
    return settleAnew(world, conversation, source, hooks);
  }
  if ((await world.trees.existing(id)) !== null) return { kind: "done", value: known };
  const tree = await world.trees.shared(id, known, hooks);
  return tree.kind === "done" ? { kind: "done", value: known } : tree;
};

const settleAnew = async (
  world: WorkspaceParts,
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
    for (const line of await openingLines(world.sandbox, look, source, workspace)) hooks.onProgress(line);
    return { kind: "done", value: workspace };
  });
  release();
  return flat(made);
};

const MAX_LISTED = 2 ** 20;

/** Looks at the checkout from inside the sandbox: its files may be links to anywhere. */
const openingLines = async (
  sandbox: Sandbox,
  policy: Policy,
  source: Source,
  tip: Tip,
): Promise<readonly string[]> => {
  const lines: string[] = [];
  if (source.kind === "path") {
    const commit = tip.commit.slice(0, 12);
    lines.push(
      `Working from commit ${commit} (${tip.ref}): changes in ${source.name} that are not committed are not included.`,
    );
  }
  const modules = await sandbox.get(policy, `${policy.cwd}/.gitmodules`, MAX_LISTED);
  if (modules.kind === "file") lines.push("This repository has submodules; they are not fetched.");
  const attributes = await sandbox.get(policy, `${policy.cwd}/.gitattributes`, MAX_LISTED);
  if (attributes.kind === "file" && attributes.bytes.includes("filter=lfs")) {
    lines.push("This repository keeps large files in Git LFS; only their pointers are here.");
  }
  return lines;
};
