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

/** Returns null if no draft is open. A layered draft is lost if the host no longer supports layers. */
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

export const makeLayer = async (work: string): Promise<void> => {
  for (const name of [UPPER, "work"]) await mkdir(join(work, name), { recursive: true });
};

/** Returns the lower layers for a copy of a layered draft. */
export const layersOf = ({ work, under }: Layers): Layers["under"] => [join(work, UPPER), ...under];

const UPPER = "upper";
