/** A draft that travels: what differs in it from the commit, and what the host remembers of it. */

import { copyFile, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { ConversationId } from "../../machine/id.ts";
import type { Log } from "../../ports/host.ts";
import { discardTree, handOver, makeAside, makeAsideFor, removeTree } from "../aside.ts";
import { draftOf, homeOf, workOf } from "../checkout/policy.ts";
import type { Workspace } from "../checkout/record.ts";
import { makeHome, type Trees } from "../checkout/trees.ts";
import { DRAFT_FILE, SEALED_FILE } from "../drafts/record.ts";
import { findDraft, standingOf } from "../drafts/standing.ts";
import { syncDirectory, unlessMissing, writeDurably } from "../durable.ts";
import type { Answer } from "../mirror/generation.ts";
import type { SetUps } from "../set-up/set-ups.ts";
import { FILES, takeFile } from "./archive.ts";
import { type SurveyDeps, survey, unpack } from "./survey.ts";

export interface DraftArchiveDeps extends SurveyDeps {
  readonly trees: Pick<Trees, "existing" | "shared">;
  readonly setUps: Pick<SetUps, "keyOf" | "borrow">;
  readonly log: Log;
}

interface Of {
  readonly id: ConversationId;
  readonly workspace: Workspace;
  /** Where the archive is, or is made. */
  readonly archive: string;
}

/** Answers what was found, null where no draft is open or it cannot be kept. */
export const packDraft = async (
  deps: DraftArchiveDeps,
  { id, workspace, archive }: Of,
  signal: AbortSignal,
): Promise<Answer<string | null>> => {
  const draft = await findDraft(deps, id);
  if (draft === null || draft.base !== workspace.commit) return NONE;
  const standing = await standingOf(deps, id, workspace, draft);
  if (standing.kind !== "done") return standing;
  const drop = await makeAsideFor(deps.sandbox, deps.layout, "findings", workspace.slot);
  try {
    const found = await survey(deps, { ...standing.value, drop, workspace, packed: true }, signal);
    if (found.kind !== "done") return found;
    if (found.value.kind === "unfit") {
      deps.log.warn("a draft cannot travel to another host", { conversation: id, why: found.value.why });
      return NONE;
    }
    await mkdir(archive, { recursive: true, mode: 0o700 });
    for (const name of FILES) await takeFile(join(drop, name), join(archive, name), 2 * deps.limits.bytes);
    // There it is a copy.
    const { layered: _, ...record } = draft;
    await writeDurably(join(archive, DRAFT_FILE), JSON.stringify(record));
    const sealed = join(deps.layout.thread(id), SEALED_FILE);
    await copyFile(sealed, join(archive, SEALED_FILE)).catch(unlessMissing);
    return { kind: "done", value: found.value.findings };
  } finally {
    await removeTree(drop);
  }
};

const NONE: Answer<null> = { kind: "done", value: null };

/** Made aside, and then in its place in one step. */
export const unpackDraft = async (
  deps: DraftArchiveDeps,
  { id, workspace, archive }: Of,
  signal: AbortSignal,
): Promise<Answer<null>> => {
  const { sandbox, layout } = deps;
  const aside = await makeAside(layout, "draft");
  try {
    const work = workOf(aside);
    await mkdir(work);
    await handOver(sandbox, work, workspace.slot);
    const made = await unpack(deps, { work, archive, workspace, lasts: true }, signal);
    if (made.kind !== "done") return made;
    const home = await makeHome(deps, homeOf(aside), workspace);
    if (home.kind !== "done") return home;
    await copyFile(join(archive, DRAFT_FILE), join(aside, DRAFT_FILE));
    const thread = layout.thread(id);
    await copyFile(join(archive, SEALED_FILE), join(thread, SEALED_FILE)).catch(unlessMissing);
    await discardTree(layout, draftOf(thread), "draft");
    await rename(aside, draftOf(thread));
    await syncDirectory(thread);
    return NONE;
  } finally {
    await removeTree(aside);
  }
};
