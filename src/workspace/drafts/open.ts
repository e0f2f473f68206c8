/** A draft is layered over the shared tree if the kernel supports layers; otherwise files are copied with a limit. */

import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ConversationId } from "../../machine/id.ts";
import { chownToSlot, makeStagingDir, putInPlace, removeTree } from "../disk/staging.ts";
import { MADE } from "../checkout/checkout.ts";
import { packOf } from "../checkout/packing.ts";
import { draftOf, homeOf, workOf } from "../checkout/policy.ts";
import { readRecord, type Workspace } from "../checkout/record.ts";
import { makeHome } from "../checkout/trees.ts";
import { syncDirectory, writeDurably } from "../disk/durable.ts";
import { attemptGit, BrokenOff, InTheWay } from "../run/git-trouble.ts";
import { type Copy, copyCheckoutTree, countEntries, countIn, type Layers } from "../run/copy.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { SANDBOX_PATHS } from "../disk/layout.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import { unwatched } from "../run/shared-work.ts";
import { runStep, unlessNoSpace } from "../run/step.ts";
import { type Draft, DRAFT_FILE } from "../checkout/draft-record.ts";
import { findDraft, makeLayer, draftStateOf } from "../checkout/draft-location.ts";

const TIMEOUT = 2 * 60_000;
const LAYERS_FROM = 2_000;
/** `$3`: number of entries below which no layers are used. */
const LAYERS = String.raw`${countEntries("0")}
[ "$5" -ge "$3" ]`;

export const openDraft = async (
  world: CheckoutParts,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Draft> => {
  const own = await world.trees.existing(workspace.id);
  const work = own ?? (await world.trees.shared(workspace, unwatched(signal)));
  const what = { workspace, source: { work, under: [] }, isShared: own === null };
  const now = world.clock.now();
  return putDraft(world, what, signal, async (made, files) => {
    // Reads the copy, because the checkout may change in the meantime. A wrong index only prevents a later apply.
    const from = own === null ? null : await packOf(world, { work: made, workspace, quickly: true }, signal);
    return { version: 1, base: workspace.commit, from: from?.tree ?? null, files, opened: now, at: now };
  });
};

/** False if there is no draft to copy. */
export const carryDraft = async (
  world: CheckoutParts,
  { from, to }: { readonly from: ConversationId; readonly to: ConversationId },
  signal: AbortSignal,
): Promise<boolean> => {
  const { layout } = world;
  const [draft, workspace, there] = await Promise.all([
    findDraft(world, from),
    readRecord(layout, to),
    findDraft(world, to),
  ]);
  if (there !== null) return true;
  if (draft === null || workspace === null || draft.base !== workspace.commit) return false;
  const source = await draftStateOf(world, { ...workspace, id: from }, draft);
  const { layered: _, ...record } = draft;
  const what = { workspace, source, isShared: false };
  await putDraft(world, what, signal, () => Promise.resolve(record));
  return true;
};

interface Opening {
  readonly workspace: Workspace;
  readonly source: Layers;
  readonly isShared: boolean;
}

const putDraft = async (
  world: CheckoutParts,
  { workspace, source, isShared }: Opening,
  signal: AbortSignal,
  record: (work: string, files: number) => Promise<Omit<Draft, "layered">>,
): Promise<Draft> => {
  const { layout } = world;
  const { id, slot } = workspace;
  await using aside = await makeStagingDir(layout, "draft");
  const work = workOf(aside.path);
  const copying = { from: source, to: work, slot };
  // Only the shared tree never changes; any other source may change while the draft is open.
  const joined = isShared ? await attemptGit(() => layOver(world, copying, signal)) : null;
  if (joined?.kind === "aborted") throw new BrokenOff();
  const layered = joined?.kind === "done" ? ({ layered: true } as const) : {};
  const files = joined?.kind === "done" ? joined.value : await copyInto(world, copying, signal);
  if (isShared) await agedIndex(world, { from: source, to: work, slot }, joined?.kind === "done", signal);
  const made: Draft = { ...(await record(work, files)), ...layered };
  await makeHome(world, homeOf(aside.path), workspace);
  await writeDurably(join(aside.path, DRAFT_FILE), JSON.stringify(made));
  const directory = draftOf(layout.thread(id));
  // Anything that exists here is no readable draft.
  await removeTree(directory);
  await putInPlace(aside, directory);
  await syncDirectory(dirname(directory));
  return made;
};

/** `to` must not exist yet. */
type Copying = Pick<Copy, "from" | "to" | "slot">;

/** Returns the number of files outside `.git`. Throws the reason if layers cannot be used. */
const layOver = async (
  { sandbox, draft: { layersFrom = LAYERS_FROM } }: WorkspaceContext,
  { from, to, slot }: Copying,
  signal: AbortSignal,
): Promise<number> => {
  if (!sandbox.probe.mounts) throw new InTheWay({ kind: "sandbox", reason: "no mounts" });
  try {
    await makeLayer(to);
    const work = { source: to, target: SANDBOX_PATHS.work, write: false, under: [from.work] };
    const given = [work, "", String(layersFrom), String(2 ** 32)] as const;
    const step = { script: LAYERS, given, slot, timeout: TIMEOUT, signal };
    const { code, text } = await runStep(sandbox, step);
    if (code !== 0) throw unlessNoSpace(text, "the layers could not be read");
    return countIn(text);
  } catch (error) {
    await removeTree(to);
    throw error;
  }
};

/** The shared tree's index is newer than the files (`MADE`), so git would miss early changes of the same size. */
const agedIndex = async (
  { sandbox }: WorkspaceContext,
  { from, to, slot }: Copying,
  isLayered: boolean,
  signal: AbortSignal,
): Promise<void> => {
  const work = { source: to, target: SANDBOX_PATHS.work, write: true, under: isLayered ? [from.work] : [] };
  const script = `[ ! -f "$1/${MADE}" ] || touch -r "$1/${MADE}" "$1/.git/index"`;
  const { code, text } = await runStep(sandbox, { script, given: [work], slot, timeout: TIMEOUT, signal });
  if (code !== 0) throw unlessNoSpace(text, "the index of the copy could not be prepared");
};

/** Returns the number of files outside `.git`. */
export const copyInto = async (
  { sandbox, draft: limits }: WorkspaceContext,
  { from, to, slot }: Copying,
  signal: AbortSignal,
): Promise<number> => {
  await mkdir(to);
  await chownToSlot(sandbox, to, slot);
  return copyCheckoutTree(sandbox, { from, to, slot, limits, timeout: TIMEOUT, signal });
};
