/** The archive replaces the checkout only after a rebuilt checkout compares equal. Files that git ignores are not kept. */

import { join } from "node:path";
import type { Millis } from "../../machine/id.ts";
import { discardTree, makeStagingDir, makeAsideFor } from "../disk/staging.ts";
import { homeOf, workOf } from "../checkout/policy.ts";
import type { Workspace } from "../checkout/record.ts";
import { syncDirectory } from "../disk/durable.ts";
import { BrokenOff } from "../run/git-trouble.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { commitArchive, takeFile } from "./archive.ts";
import { isBackedUp } from "./checkout-lock.ts";
import { type ScanResult, scanCheckout, unpack } from "./scan-checkout.ts";

type Parked = { readonly kind: "parked" } | Extract<ScanResult, { readonly kind: "unfit" }>;

const CACHES = [".cache", ".npm"];

export const park = async (
  ground: WorkspaceContext,
  workspace: Workspace,
  { work, since }: { readonly work: string; readonly since: Millis },
  signal: AbortSignal,
): Promise<Parked> => {
  const { sandbox, layout, directory, clock, rest } = ground;
  const { id, commit } = workspace;
  {
    await using drop = await makeAsideFor(sandbox, layout, "findings", workspace.slot);
    // Belongs to the host: no command writes there.
    await using archive = await makeStagingDir(layout, "parked");
    const found = await scanCheckout(
      ground,
      { work, under: [], drop: drop.path, workspace, packed: true },
      signal,
    );
    if (found.kind === "unfit") return found;
    const take = (name: string): Promise<string> =>
      takeFile(join(drop.path, name), join(archive.path, name), 2 * rest.bytes);
    const files = { work: await take("work.tar.gz"), changed: await take("changed") };
    await ground.atRestStep("packed");
    const again = await madeAgain(ground, workspace, archive.path, signal);
    if (again.kind === "unfit" || again.findings !== found.findings)
      return { kind: "unfit", why: "what would be put back is not the same" };
    await ground.atRestStep("compared");
    await commitArchive(layout, id, archive.path, { version: 1, commit, since, at: clock.now(), ...files });
    await ground.atRestStep("committed");
  }
  // A user that arrived in the meantime, and a backup that started before, must find the checkout unchanged.
  if (signal.aborted || (await isBackedUp(directory))) throw new BrokenOff();
  const thread = layout.thread(id);
  await discardTree(layout, workOf(thread), "rested");
  await syncDirectory(thread);
  await ground.atRestStep("gone");
  for (const name of CACHES) await discardTree(layout, join(homeOf(thread), name), "rested");
  return { kind: "parked" };
};

const madeAgain = async (
  ground: WorkspaceContext,
  workspace: Workspace,
  archive: string,
  signal: AbortSignal,
): Promise<ScanResult> => {
  const { sandbox, layout } = ground;
  await using work = await makeAsideFor(sandbox, layout, "again", workspace.slot);
  await using drop = await makeAsideFor(sandbox, layout, "findings", workspace.slot);
  await unpack(ground, { work: work.path, archive, workspace, lasts: false }, signal);
  const made = { work: work.path, under: [], drop: drop.path };
  return await scanCheckout(ground, { ...made, workspace, packed: false }, signal);
};
