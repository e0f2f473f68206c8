/**
 * Puts a parked checkout back: made aside from the mirror and the archive, then in its place in one step. The archive
 * stays until a later look, and what is damaged stays for good.
 */

import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type ConversationId, DAY, type Millis } from "../../machine/id.ts";
import type { PutBack } from "../../machine/words.ts";
import type { Log } from "../../ports/host.ts";
import { unlinkIfLink } from "../checkout/link.ts";
import { workOf } from "../checkout/policy.ts";
import type { Workspace } from "../checkout/record.ts";
import type { Trees } from "../checkout/trees.ts";
import { syncDirectory, writeDurably } from "../durable.ts";
import type { Hooks } from "../flight.ts";
import type { Layout } from "../layout.ts";
import type { Answer } from "../mirror/generation.ts";
import { removeTree } from "../remove-tree.ts";
import {
  archiveOf,
  type ArchiveRead,
  endArchive,
  kindOf,
  noteDamage,
  noteMaking,
  readArchive,
  wasFoundDamaged,
} from "./archive.ts";
import type { ParkDeps } from "./park.ts";
import { makeAside, type SurveyDeps, unpack } from "./survey.ts";

export interface PutBackDeps extends Pick<ParkDeps, keyof SurveyDeps | "now" | "atStep"> {
  readonly trees: Pick<Trees, "existing">;
  readonly log: Pick<Log, "warn">;
}

export const putBack = async (
  deps: PutBackDeps,
  id: ConversationId,
  workspace: Workspace,
  hooks: Hooks,
): Promise<Answer<null>> => {
  const { layout } = deps;
  const read = await readArchive(layout, id);
  const work = await deps.trees.existing(id);
  const left = work === null ? null : await kindOf(read.directory, work);
  const days = daysSince(deps, read.since);
  switch (left) {
    case "foreign": {
      const kept = await setAside(deps, id, { kind: "beside", days });
      deps.log.warn("a conversation that rested has another checkout by now", { conversation: id, kept });
      return DONE;
    }
    case "putBack":
      return handOver(deps, id, { kind: "whole", days });
    case "packed":
      // Removed in one step, so that all of it is still there: nobody has to be told anything.
      return handOver(deps, id, null);
    case null:
      return read.kind === "whole"
        ? rebuild(deps, id, { workspace, read, days }, hooks)
        : goOnWithout(deps, id, { read, days });
  }
};

const DONE: Answer<null> = { kind: "done", value: null };

/** From here on the checkout counts. */
const handOver = async (
  { layout, atStep }: PutBackDeps,
  id: ConversationId,
  putBackAs: PutBack | null,
): Promise<Answer<null>> => {
  if (putBackAs !== null) await owe(layout, id, putBackAs);
  await endArchive(layout, id);
  await atStep("over");
  return DONE;
};

const rebuild = async (
  deps: PutBackDeps,
  id: ConversationId,
  {
    workspace,
    read: { directory },
    days,
  }: { readonly workspace: Workspace; readonly read: ArchiveRead; readonly days: number },
  { signal, onProgress }: Hooks,
): Promise<Answer<null>> => {
  const { layout } = deps;
  onProgress("This thread had rested: its checkout is being put back.");
  const aside = await makeAside(deps, "put-back", workspace.slot);
  try {
    const made = await unpack(deps, { work: aside, archive: directory, workspace, lasts: true }, signal);
    if (made.kind !== "done") return made;
    if (made.value === "gone") {
      return { kind: "trouble", trouble: { kind: "archive", why: "gone", at: `threads/${id}/parked` } };
    }
    await noteMaking(directory, aside);
    await deps.atStep("made");
    const work = workOf(layout.thread(id));
    await unlinkIfLink(work);
    await rename(aside, work);
    await syncDirectory(layout.thread(id));
    await deps.atStep("inPlace");
    return await handOver(deps, id, { kind: "whole", days });
  } finally {
    await removeTree(aside);
  }
};

/** People are asked first: only whoever comes again gets a checkout without what they had changed. */
const goOnWithout = async (
  deps: PutBackDeps,
  id: ConversationId,
  { read: { directory }, days }: { readonly read: ArchiveRead; readonly days: number },
): Promise<Answer<null>> => {
  if (await wasFoundDamaged(directory)) {
    await setAside(deps, id, { kind: "fresh", days });
    return DONE;
  }
  await noteDamage(directory);
  return { kind: "trouble", trouble: { kind: "archive", why: "damaged", at: `threads/${id}/parked` } };
};

/** The archive stays under another name, which people are told, and stands for the checkout no more. */
const setAside = async (
  { layout, now }: PutBackDeps,
  id: ConversationId,
  putBackAs: { readonly kind: "fresh" | "beside"; readonly days: number },
): Promise<string> => {
  const name = `kept-${now()}`;
  const kept = `threads/${id}/${name}`;
  await owe(layout, id, { ...putBackAs, kept });
  await rename(archiveOf(layout, id), join(layout.thread(id), name));
  await syncDirectory(layout.thread(id));
  return kept;
};

const daysSince = ({ now }: Pick<ParkDeps, "now">, since: Millis | null): number =>
  since === null ? 0 : Math.max(0, Math.floor((now() - since) / DAY));

/** What people are still to be told. */
const owedIn = (layout: Layout, id: ConversationId): string => join(layout.thread(id), "put-back.json");

const owe = (layout: Layout, id: ConversationId, putBackAs: PutBack): Promise<void> =>
  writeDurably(owedIn(layout, id), JSON.stringify(putBackAs));

const schema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("whole"), days: z.int() }),
  z.strictObject({ kind: z.enum(["fresh", "beside"]), days: z.int(), kept: z.string() }),
]);

/** Null where there is nothing. */
export const readOwed = async (layout: Layout, id: ConversationId): Promise<PutBack | null> => {
  const text = await readFile(owedIn(layout, id), "utf8").catch(() => null);
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

export const settleOwed = (layout: Layout, id: ConversationId): Promise<void> =>
  rm(owedIn(layout, id), { force: true });
