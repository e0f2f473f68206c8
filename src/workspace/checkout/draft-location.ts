/** Where a draft's files are: in a copy, or in layers, of which the shared tree is the lowest and shows through. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../machine/id.ts";
import { draftOf, workOf } from "./policy.ts";
import type { Workspace } from "./record.ts";
import type { Trees } from "./trees.ts";
import type { Layers } from "../run/copy.ts";
import type { Layout } from "../disk/layout.ts";
import { unwatched } from "../run/shared-work.ts";
import { type Draft, readDraft } from "./draft-record.ts";

/** Null where none is open. One in layers is lost where the host has changed and cannot join them any more. */
export const findDraft = async (
  { layout, sandbox }: { readonly layout: Layout; readonly sandbox: Pick<Sandbox, "probe"> },
  id: ConversationId,
): Promise<Draft | null> => {
  const draft = await readDraft(layout, id);
  return draft?.layered === true && !sandbox.probe.mounts ? null : draft;
};

export const draftStateOf = async (
  { layout, trees }: { readonly layout: Layout; readonly trees: Pick<Trees, "shared"> },
  workspace: Workspace,
  draft: Draft,
): Promise<Layers> => {
  const work = workOf(draftOf(layout.thread(workspace.id)));
  const under = draft.layered === true ? [await trees.shared(workspace, unwatched())] : [];
  return { work, under };
};

/** Nothing is written yet. */
export const makeLayer = async (work: string): Promise<void> => {
  for (const name of [UPPER, "work"]) await mkdir(join(work, name), { recursive: true });
};

/** What of it lies under a copy in layers of its own. */
export const layersOf = ({ work, under }: Layers): Layers["under"] => [join(work, UPPER), ...under];

const UPPER = "upper";
