import type { ConversationId } from "../../machine/id.ts";
import { unwatched } from "../run/shared-work.ts";
import { InTheWay } from "../run/git-trouble.ts";
import type { CommandMode, PolicyInput } from "./policy.ts";
import type { Layers } from "../run/copy.ts";
import { findDraft, draftStateOf } from "./draft-location.ts";
import { recordOf, type Workspace } from "./record.ts";
import type { CheckoutParts } from "./parts.ts";

export const hold = async (
  world: CheckoutParts,
  id: ConversationId,
  permission: CommandMode,
): Promise<CommandFacts> => {
  const known = await recordOf(world.layout, id);
  const standing = await stand(world, known, permission);
  return {
    ...standing,
    permission,
    mounts: world.sandbox.probe.mounts,
    thread: world.layout.thread(id),
    generation: world.layout.generation(known.key, known.generation),
    slot: known.slot,
    prepared: await world.setUps.find(known),
    hint: (await world.setUps.hint(known)) ?? (world.resting.wasPutBack(id) ? PUT_BACK : null),
  };
};

const PUT_BACK =
  "This conversation had rested, and its checkout was put back without what git ignores: installed dependencies and build output are missing until they are made again.";

export type CommandFacts = PolicyInput & { readonly hint: string | null };

/** After a downgrade, commands still see the private checkout, because the agent's edits are in it. */
const stand = async (world: CheckoutParts, known: Workspace, permission: CommandMode): Promise<Layers> => {
  if (permission === "draft") {
    const draft = await findDraft(world, known.id);
    if (draft === null) throw new InTheWay({ kind: "noDraft" });
    return draftStateOf(world, known, draft);
  }
  const existing = permission === "restricted" ? await world.trees.existing(known.id) : null;
  const make = permission === "restricted" ? world.trees.shared : world.trees.own;
  if (permission === "unrestricted") world.travels?.touch(known.id);
  return { work: existing ?? (await make(known, unwatched())), under: [] };
};
