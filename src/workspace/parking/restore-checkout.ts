/** A later sweep removes the archive; a damaged archive is never removed. */

import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type ConversationId, DAY } from "../../machine/id.ts";
import type { CheckoutRestored } from "../../machine/vocabulary.ts";
import { makeAsideFor, putInPlace } from "../disk/staging.ts";
import { workOf } from "../checkout/policy.ts";
import type { Workspace } from "../checkout/record.ts";
import { jsonFile, syncDirectory } from "../disk/durable.ts";
import type { Hooks } from "../run/shared-work.ts";
import { InTheWay } from "../run/git-trouble.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import type { Layout } from "../disk/layout.ts";
import { type ArchiveRead, noteDamage, readArchive, wasFoundDamaged } from "./archive.ts";
import { unpack } from "./scan-checkout.ts";

/** Called if only the archive exists, not the checkout. */
export const restoreCheckout = async (
  ground: WorkspaceContext,
  workspace: Workspace,
  hooks: Hooks,
): Promise<void> => {
  const read = await readArchive(ground.layout, workspace);
  const days = read.since === null ? 0 : Math.max(0, Math.floor((ground.clock.now() - read.since) / DAY));
  return read.kind === "whole"
    ? rebuild(ground, workspace, { days, ...read }, hooks)
    : goOnWithout(ground, workspace, { days, ...read });
};

interface Parked extends ArchiveRead {
  readonly days: number;
}

const rebuild = async (
  ground: WorkspaceContext,
  workspace: Workspace,
  { directory, days, moved }: Parked,
  { signal, onProgress }: Hooks,
): Promise<void> => {
  const { sandbox, layout, atRestStep } = ground;
  const { id } = workspace;
  const why = moved ? "Another host had this thread" : "This thread was inactive";
  onProgress(`${why}: its checkout is being restored.`);
  await using aside = await makeAsideFor(sandbox, layout, "put-back", workspace.slot);
  const made = await unpack(ground, { work: aside.path, archive: directory, workspace, lasts: true }, signal);
  if (made === "gone") throw new InTheWay({ kind: "archive", why: "gone", at: `threads/${id}/parked` });
  await atRestStep("made");
  await owe(layout, id, { kind: "whole", days, ...(moved ? { moved } : {}) });
  await putInPlace(aside, workOf(layout.thread(id)));
  await syncDirectory(layout.thread(id));
  await atRestStep("inPlace");
};

/** Asks people first: only the next request gets a checkout without their changes. */
const goOnWithout = async (
  { layout, clock }: WorkspaceContext,
  { id }: Workspace,
  { directory, days }: Parked,
): Promise<void> => {
  if (!(await wasFoundDamaged(directory))) {
    await noteDamage(directory);
    throw new InTheWay({ kind: "archive", why: "damaged", at: `threads/${id}/parked` });
  }
  // The archive stays under a reported name and no longer counts as the checkout.
  const name = `kept-${clock.now()}`;
  await owe(layout, id, { kind: "fresh", days, kept: `threads/${id}/${name}` });
  await rename(directory, join(layout.thread(id), name));
  await syncDirectory(layout.thread(id));
};

const schema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("whole"), days: z.int(), moved: z.literal(true).exactOptional() }),
  z.strictObject({ kind: z.literal("fresh"), days: z.int(), kept: z.string() }),
]);

const owedIn = (thread: string): string => join(thread, "put-back.json");

/** Result of the restore that people have not been told yet. */
export const { read: readOwed, write: owe } = jsonFile<z.ZodType<CheckoutRestored>>(schema, owedIn);

export const clearOwedNotice = (layout: Layout, id: ConversationId): Promise<void> =>
  rm(owedIn(layout.thread(id)), { force: true });
