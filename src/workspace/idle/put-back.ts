/**
 * Puts a parked checkout back: made aside from the mirror and the archive, then in its place in one step. The archive
 * stays until a later look, and what is damaged stays for good.
 */

import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ConversationId, Millis } from "../../core/id.ts";
import type { PutBack } from "../../core/words.ts";
import { syncDirectory, writeDurably } from "../durable.ts";
import type { Hooks } from "../flight.ts";
import type { Answer } from "../generation.ts";
import type { Layout } from "../layout.ts";
import { unlinkIfLink } from "../link.ts";
import { workOf } from "../policy.ts";
import type { Workspace } from "../record.ts";
import { removeTree } from "../remove-tree.ts";
import type { Trees } from "../trees.ts";
import {
  type ArchiveRead,
  endArchive,
  moveAway,
  noteDamage,
  readArchive,
  setAside,
  wasFoundDamaged,
} from "./archive.ts";
import type { ParkDeps } from "./park.ts";
import { makeAside, type SurveyDeps, unpack } from "./survey.ts";

const DAY: Millis = 86_400_000;

export interface PutBackDeps extends Pick<ParkDeps, keyof SurveyDeps | "now" | "atStep"> {
  readonly trees: Pick<Trees, "existing">;
}

export const putBack = async (
  deps: PutBackDeps,
  id: ConversationId,
  workspace: Workspace,
  { signal, onProgress }: Hooks,
): Promise<Answer<null>> => {
  const { layout } = deps;
  const read = await readArchive(layout, id);
  if (read.kind === "damaged") return goOnWithout(deps, id, read);
  const { directory, note } = read;
  onProgress("This thread had rested: its checkout is being put back.");
  const aside = await makeAside(deps, "put-back", workspace.slot);
  try {
    const made = await unpack(deps, { work: aside, archive: directory, workspace, lasts: true }, signal);
    if (made.kind !== "done") return made;
    if (made.value === "gone") {
      return { kind: "trouble", trouble: { kind: "archive", why: "gone", at: `threads/${id}/parked` } };
    }
    await deps.atStep("made");
    const work = workOf(layout.thread(id));
    await unlinkIfLink(work);
    // What an earlier process did not come to remove, or made and did not hand over.
    const left = await moveAway(layout, work);
    await rename(aside, work);
    await syncDirectory(layout.thread(id));
    if (left !== null) await removeTree(left);
    await deps.atStep("inPlace");
    await owe(layout, id, { kind: "whole", days: daysSince(deps, note.since) });
    await endArchive(layout, id);
    await deps.atStep("over");
    return { kind: "done", value: null };
  } finally {
    await removeTree(aside);
  }
};

/**
 * People are asked first: only whoever comes again gets a checkout without what they had changed. Where the checkout was
 * not yet removed, nothing is lost.
 */
const goOnWithout = async (
  deps: PutBackDeps,
  id: ConversationId,
  { directory, since }: ArchiveRead & { readonly kind: "damaged" },
): Promise<Answer<null>> => {
  if ((await deps.trees.existing(id)) !== null) {
    await endArchive(deps.layout, id);
    return { kind: "done", value: null };
  }
  if (!(await wasFoundDamaged(directory))) {
    await noteDamage(directory);
    return { kind: "trouble", trouble: { kind: "archive", why: "damaged", at: `threads/${id}/parked` } };
  }
  const at = deps.now();
  await owe(deps.layout, id, {
    kind: "fresh",
    days: daysSince(deps, since ?? at),
    kept: `threads/${id}/kept-${at}`,
  });
  await setAside(deps.layout, id, at);
  return { kind: "done", value: null };
};

const daysSince = ({ now }: Pick<ParkDeps, "now">, since: Millis): number =>
  Math.max(0, Math.floor((now() - since) / DAY));

/** What people are still to be told. */
const owedIn = (layout: Layout, id: ConversationId): string => join(layout.thread(id), "put-back.json");

const owe = (layout: Layout, id: ConversationId, putBackAs: PutBack): Promise<void> =>
  writeDurably(owedIn(layout, id), JSON.stringify(putBackAs));

const schema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("whole"), days: z.int() }),
  z.strictObject({ kind: z.literal("fresh"), days: z.int(), kept: z.string() }),
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
