/** What a conversation's commands hold under a permission; makes what is missing for it. */

import type { ConversationId } from "../../machine/id.ts";
import { unwatched } from "../shared-work.ts";
import type { Answer } from "../mirror/generation.ts";
import { isPlainId } from "../layout.ts";
import type { Hold, Holding } from "./policy.ts";
import { findDraft, type Standing, standingOf } from "../drafts/standing.ts";
import { readRecord, type Workspace } from "./record.ts";
import type { WorkspaceParts } from "../parts.ts";

export const hold = async (
  world: WorkspaceParts,
  id: ConversationId,
  permission: Hold,
): Promise<Answer<Held>> => {
  const swept = await world.swept();
  if (swept.kind !== "done") return swept;
  const known = isPlainId(id) ? await readRecord(world.layout, id) : null;
  if (known === null) {
    return { kind: "trouble", trouble: { kind: "host", reason: "no checkout was made yet" } };
  }
  const work = await stand(world, id, known, permission);
  if (work.kind !== "done") return work;
  const prepared = await world.setUps.find(known);
  const holding = holdingOf(world, id, known, permission, work.value);
  const hint = (await world.setUps.hint(known)) ?? (world.resting.wasPutBack(id) ? PUT_BACK : null);
  return { kind: "done", value: { ...holding, prepared, hint } };
};

const PUT_BACK =
  "This conversation had rested, and its checkout was put back without what git ignores: installed dependencies and build output are missing until they are made again.";

/** `hint`: what a command that fails is told beside its output; null where there is nothing to say. */
export type Held = Holding & { readonly hint: string | null };

/** After a downgrade the private checkout stays what is seen: the agent's edits are in it. */
const stand = async (
  world: WorkspaceParts,
  id: ConversationId,
  known: Workspace,
  permission: Hold,
): Promise<Answer<Standing>> => {
  if (permission === "draft") {
    const draft = await findDraft(world, id);
    return draft === null
      ? { kind: "trouble", trouble: { kind: "noDraft" } }
      : standingOf(world, id, known, draft);
  }
  const existing = permission === "restricted" ? await world.trees.existing(id) : null;
  const make = permission === "restricted" ? world.trees.shared : world.trees.own;
  const work: Answer<string> =
    existing === null ? await make(id, known, unwatched()) : { kind: "done", value: existing };
  return work.kind === "done" ? { kind: "done", value: { work: work.value, under: [] } } : work;
};

export const holdingOf = (
  world: WorkspaceParts,
  id: ConversationId,
  workspace: Workspace,
  permission: Hold,
  { work, under }: Standing,
): Holding => ({
  permission,
  mounts: world.sandbox.probe.mounts,
  thread: world.layout.thread(id),
  work,
  under,
  generation: world.layout.generation(workspace.key, workspace.generation),
  slot: workspace.slot,
  prepared: null,
});
