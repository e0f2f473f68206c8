/**
 * Parks a checkout: what differs from its commit is packed, a second checkout is made from that and compared with the
 * first, and only then does the archive take the place of the checkout, in one step. Whatever is in the way, the checkout
 * stays as it is. What git ignores is not kept.
 */

import { join } from "node:path";
import type { ConversationId, Millis } from "../../machine/id.ts";
import { discardTree, makeAside, makeAsideFor, removeTree } from "../aside.ts";
import { homeOf, workOf } from "../checkout/policy.ts";
import type { Workspace } from "../checkout/record.ts";
import { syncDirectory } from "../durable.ts";
import type { Answer } from "../mirror/generation.ts";
import { commitArchive, takeFile } from "./archive.ts";
import { type SurveyDeps, survey, unpack } from "./survey.ts";

/** Where tests let the process end: after each, what is on the disk is all that is left. */
export type Step = "packed" | "compared" | "committed" | "gone" | "made" | "inPlace";

export interface ParkDeps extends SurveyDeps {
  readonly now: () => Millis;
  readonly isBackedUp: () => Promise<boolean>;
  readonly atStep: (step: Step) => Promise<void>;
}

type Parked = { readonly kind: "parked" } | { readonly kind: "unfit"; readonly why: string };

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
  const { sandbox, layout, limits } = deps;
  const drop = await makeAsideFor(sandbox, layout, "findings", workspace.slot);
  // The host's own: no command writes there.
  const archive = await makeAside(layout, "parked");
  try {
    const found = await survey(deps, { work, drop, workspace, packed: true }, signal);
    if (found.kind !== "done") return found;
    const { value } = found;
    if (value.kind === "unfit") return { kind: "done", value };
    const take = (name: string): Promise<string> =>
      takeFile(join(drop, name), join(archive, name), 2 * limits.bytes);
    const files = { work: await take("work.tar.gz"), changed: await take("changed") };
    await deps.atStep("packed");
    const again = await madeAgain(deps, workspace, archive, signal);
    if (again.kind !== "done") return again;
    if (again.value !== value.findings)
      return { kind: "done", value: { kind: "unfit", why: "what would be put back is not the same" } };
    await deps.atStep("compared");
    const { commit } = workspace;
    await commitArchive(layout, id, archive, { version: 1, commit, since, at: deps.now(), ...files });
    await deps.atStep("committed");
  } finally {
    await removeTree(drop);
    await removeTree(archive);
  }
  // Whoever came meanwhile, and a copy that began before, find the checkout as it was.
  if (signal.aborted || (await deps.isBackedUp())) return { kind: "aborted" };
  const thread = layout.thread(id);
  await discardTree(layout, workOf(thread), "rested");
  await syncDirectory(thread);
  await deps.atStep("gone");
  for (const name of CACHES) await discardTree(layout, join(homeOf(thread), name), "rested");
  return { kind: "done", value: { kind: "parked" } };
};

/** What a look through a checkout finds that is put back from the archive alone; null where it cannot be. */
const madeAgain = async (
  deps: ParkDeps,
  workspace: Workspace,
  archive: string,
  signal: AbortSignal,
): Promise<Answer<string | null>> => {
  const { sandbox, layout } = deps;
  const work = await makeAsideFor(sandbox, layout, "again", workspace.slot);
  const drop = await makeAsideFor(sandbox, layout, "findings", workspace.slot);
  try {
    const made = await unpack(deps, { work, archive, workspace, lasts: false }, signal);
    if (made.kind !== "done") return made;
    const found = await survey(deps, { work, drop, workspace, packed: false }, signal);
    if (found.kind !== "done") return found;
    return { kind: "done", value: found.value.kind === "found" ? found.value.findings : null };
  } finally {
    await removeTree(drop);
    await removeTree(work);
  }
};
