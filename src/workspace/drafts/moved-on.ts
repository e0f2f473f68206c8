/** The look at a draft's branch at the click: a card that named older commits is not enough to write by (D42). */

import type { DraftResult } from "../../thread/draft.ts";
import { canonical } from "../../text/canonical.ts";
import { given } from "../../text/given.ts";
import type { Workspace } from "../checkout/record.ts";
import type { WorkspaceParts } from "../parts.ts";
import { movedSince } from "./moved.ts";
import { readSealed, writeSealed } from "./record.ts";
import { findDraft } from "./standing.ts";

/** The result with the commits of now, which is also stored; null if they are those that the card named. */
export const readMovedOn = async (
  world: WorkspaceParts,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<DraftResult | null> => {
  const { layout } = world;
  const [sealed, draft] = await Promise.all([
    readSealed(layout, workspace.id),
    findDraft(world, workspace.id),
  ]);
  if (sealed === null || draft === null || sealed.base !== workspace.commit) return null;
  // A record of a version before: its card cannot be posted anew.
  if (sealed.filesInAll === 0) return null;
  const { moved: before, ...rest } = sealed;
  const moved = (await movedSince(world, workspace, sealed.tree, signal)) ?? undefined;
  if (canonical(moved ?? null) === canonical(before ?? null)) return null;
  const result = { ...rest, ...given({ moved }) };
  await writeSealed(layout, workspace.id, result);
  return result;
};
