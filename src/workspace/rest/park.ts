/**
 * Parks a checkout: what differs from its commit is packed, a second checkout is made from that and compared with the
 * first, and only then does the archive take the place of the checkout, in one step. Whatever is in the way, the checkout
 * stays as it is. What git ignores is not kept.
 */

import { chmod, mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { ConversationId, Millis } from "../../machine/id.ts";
import { syncDirectory } from "../durable.ts";
import type { Answer } from "../mirror/generation.ts";
import { moveAway } from "../move-away.ts";
import { homeOf, workOf } from "../checkout/policy.ts";
import type { Workspace } from "../checkout/record.ts";
import { removeTree } from "../remove-tree.ts";
import { commitArchive, endArchive, identityOf, RESTED, takeFile } from "./archive.ts";
import { type Findings, makeAside, pack, type SurveyDeps, survey, unpack } from "./survey.ts";

/** Where tests let the process end: after each, what is on the disk is all that is left. */
export type Step = "packed" | "compared" | "committed" | "gone" | "made" | "inPlace" | "over";

export interface ParkDeps extends SurveyDeps {
  readonly now: () => Millis;
  readonly isBackedUp: () => Promise<boolean>;
  readonly atStep: (step: Step) => Promise<void>;
}

export type Parked = { readonly kind: "parked" } | { readonly kind: "unfit"; readonly why: string };

/** What a home has that programs make anew. */
const CACHES = [".cache", ".npm"];

export const park = async (
  deps: ParkDeps,
  id: ConversationId,
  {
    work,
    workspace,
    since,
  }: { readonly work: string; readonly workspace: Workspace; readonly since: Millis },
  signal: AbortSignal,
): Promise<Answer<Parked>> => {
  const drop = await makeAside(deps, "findings", workspace.slot);
  const archive = await makeArchive(deps);
  try {
    const packed = await packInto(deps, { work, workspace, drop, archive }, signal);
    if (packed.kind !== "done") return packed;
    if (packed.value.kind === "unfit") return { kind: "done", value: packed.value };
    await deps.atStep("packed");
    const { files, findings } = packed.value;
    const same = await isSame(deps, { workspace, archive, findings }, signal);
    if (same.kind !== "done") return same;
    if (!same.value) return unfit("what would be put back is not the same");
    await deps.atStep("compared");
    const { commit } = workspace;
    const was = await identityOf(work);
    const note = { version: 1 as const, commit, since, at: deps.now(), was, ...files };
    await commitArchive(deps.layout, id, archive, note);
    await deps.atStep("committed");
  } finally {
    await removeTree(drop);
    await removeTree(archive);
  }
  // Whoever came meanwhile, and a copy that began before, find the checkout as it was.
  if (signal.aborted || (await deps.isBackedUp())) {
    await endArchive(deps.layout, id);
    return { kind: "aborted" };
  }
  await clearParked(deps, id);
  return { kind: "done", value: { kind: "parked" } };
};

/** The checkout that an archive stands for goes, and with it what programs keep in the home to be faster. */
export const clearParked = async (
  { layout, atStep }: Pick<ParkDeps, "layout" | "atStep">,
  id: ConversationId,
): Promise<void> => {
  const thread = layout.thread(id);
  const caches = CACHES.map((name) => join(homeOf(thread), name));
  const moved = [await moveAway(layout, workOf(thread), RESTED)];
  for (const path of caches) moved.push(await moveAway(layout, path, RESTED));
  await syncDirectory(thread);
  await atStep("gone");
  for (const aside of moved) if (aside !== null) await removeTree(aside);
};

const unfit = (why: string): Answer<Parked & { readonly kind: "unfit" }> => ({
  kind: "done",
  value: { kind: "unfit", why },
});

/** The host's own: no command writes there. */
const makeArchive = async ({ layout }: SurveyDeps): Promise<string> => {
  await mkdir(layout.staging, { recursive: true });
  const archive = await mkdtemp(join(layout.staging, "parked-"));
  await chmod(archive, 0o755);
  return archive;
};

interface Packed {
  readonly kind: "packed";
  readonly findings: Findings;
  readonly files: { readonly work: string; readonly changed: string };
}

const packInto = async (
  deps: ParkDeps,
  {
    archive,
    ...place
  }: {
    readonly work: string;
    readonly workspace: Workspace;
    readonly drop: string;
    readonly archive: string;
  },
  signal: AbortSignal,
): Promise<Answer<Packed | (Parked & { readonly kind: "unfit" })>> => {
  const surveyed = await survey(deps, place, signal);
  if (surveyed.kind !== "done") return surveyed;
  if (surveyed.value.kind === "unfit") return { kind: "done", value: surveyed.value };
  const packed = await pack(deps, place, signal);
  if (packed.kind !== "done") return packed;
  if (!packed.value) return unfit("it could not be packed");
  const take = (name: string): Promise<string> =>
    takeFile(join(place.drop, name), join(archive, name), 2 * deps.limits.bytes);
  const files = { work: await take("work.tar.gz"), changed: await take("changed") };
  return { kind: "done", value: { kind: "packed", findings: surveyed.value.findings, files } };
};

/** Put back from the archive alone, it is what was packed. */
const isSame = async (
  deps: ParkDeps,
  {
    workspace,
    archive,
    findings,
  }: { readonly workspace: Workspace; readonly archive: string; readonly findings: Findings },
  signal: AbortSignal,
): Promise<Answer<boolean>> => {
  const again = await makeAside(deps, "again", workspace.slot);
  const drop = await makeAside(deps, "findings", workspace.slot);
  try {
    const made = await unpack(deps, { work: again, archive, workspace, lasts: false }, signal);
    if (made.kind !== "done") return made;
    const found = await survey(deps, { work: again, drop, workspace }, signal);
    if (found.kind !== "done") return found;
    const { value } = found;
    const same = value.kind === "found" && isEqual(value.findings, findings);
    return { kind: "done", value: made.value === "made" && same };
  } finally {
    await removeTree(drop);
    await removeTree(again);
  }
};

const isEqual = (a: Findings, b: Findings): boolean =>
  a.tree === b.tree && a.list === b.list && a.changed === b.changed && a.facts === b.facts;
