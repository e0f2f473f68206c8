import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { discardTree, chownToSlot, makeStagingDir, putInPlace } from "../disk/staging.ts";
import { draftOf, homeOf, workOf } from "../checkout/policy.ts";
import type { Workspace } from "../checkout/record.ts";
import { makeHome, type Preparations, type Trees } from "../checkout/trees.ts";
import type { Layers } from "../run/copy.ts";
import { DRAFT_FILE, SEALED_FILE } from "../checkout/draft-record.ts";
import { findDraft, draftStateOf } from "../checkout/draft-location.ts";
import { syncDirectory, unlessMissing } from "../disk/durable.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { type ArchiveContents, ARCHIVED_FILES, packedIn, textual } from "./archive.ts";
import { scanCheckout, unpack } from "./scan-checkout.ts";

export interface DraftArchiveDeps extends WorkspaceContext {
  readonly trees: Trees;
  readonly setUps: Preparations;
}

interface Packed {
  readonly findings: string;
  readonly contents: ArchiveContents;
}

/** Returns the findings; null if the checkout or draft cannot be kept, which is logged as `what`. */
export const packInto = async (
  ground: WorkspaceContext,
  workspace: Workspace,
  { what, ...looked }: Layers & { readonly what: string; readonly drop: string },
  signal: AbortSignal,
): Promise<string | null> => {
  const found = await scanCheckout(ground, { ...looked, workspace, packed: true }, signal);
  if (found.kind === "found") return found.findings;
  ground.log.warn("parking: archive for other hosts not created", {
    what,
    conversation: workspace.id,
    why: found.why,
  });
  return null;
};

/** Null if no draft is open or the draft cannot be kept. */
export const packDraft = async (
  deps: DraftArchiveDeps,
  workspace: Workspace,
  drop: string,
  signal: AbortSignal,
): Promise<Packed | null> => {
  const { id } = workspace;
  const draft = await findDraft(deps, id);
  if (draft === null || draft.base !== workspace.commit) return null;
  const standing = await draftStateOf(deps, workspace, draft);
  const findings = await packInto(deps, workspace, { what: "draft", ...standing, drop }, signal);
  if (findings === null) return null;
  // On the other host the draft is a copy.
  const { layered: _, ...record } = draft;
  const sealed = await readFile(join(deps.layout.thread(id), SEALED_FILE), "utf8").catch(unlessMissing);
  const contents = {
    ...packedIn(deps, drop, DRAFT),
    [DRAFT + DRAFT_FILE]: textual(JSON.stringify(record)),
    ...(sealed === null ? {} : { [DRAFT + SEALED_FILE]: textual(sealed) }),
  };
  return { findings, contents };
};

const DRAFT = "draft/";

/** Files that must exist to restore a draft. */
export const DRAFT_FILES = [...ARCHIVED_FILES, DRAFT_FILE];
export const DRAFTED = [...DRAFT_FILES, SEALED_FILE].map((name) => DRAFT + name);

export const unpackDraft = async (
  deps: DraftArchiveDeps,
  workspace: Workspace,
  archive: string,
  signal: AbortSignal,
): Promise<void> => {
  const { sandbox, layout } = deps;
  await using aside = await makeStagingDir(layout, "draft");
  const work = workOf(aside.path);
  await mkdir(work);
  await chownToSlot(sandbox, work, workspace.slot);
  await unpack(deps, { work, archive, workspace, lasts: true }, signal);
  await makeHome(deps, homeOf(aside.path), workspace);
  await copyFile(join(archive, DRAFT_FILE), join(aside.path, DRAFT_FILE));
  const thread = layout.thread(workspace.id);
  await copyFile(join(archive, SEALED_FILE), join(thread, SEALED_FILE)).catch(unlessMissing);
  await discardTree(layout, draftOf(thread), "draft");
  await putInPlace(aside, draftOf(thread));
  await syncDirectory(thread);
};
