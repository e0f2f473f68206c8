/**
 * Opens a draft: a copy of the checkout as it is now, with a home beside it. Made aside and renamed into place when whole.
 * Copied inside the sandbox as the user whose files they are; copy on write where the file system can, else bounded.
 */

import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ConversationId } from "../../machine/id.ts";
import { handOver, makeAside, removeTree } from "../aside.ts";
import { packOf } from "../checkout/packing.ts";
import { draftOf, homeOf, workOf } from "../checkout/policy.ts";
import { readRecord, type Workspace } from "../checkout/record.ts";
import { makeHome } from "../checkout/trees.ts";
import { syncDirectory, writeDurably } from "../durable.ts";
import { SEEN } from "../layout.ts";
import type { Answer } from "../mirror/generation.ts";
import { seenAt } from "../mirror/git.ts";
import type { WorkspaceParts } from "../parts.ts";
import { unwatched } from "../shared-work.ts";
import { runStep, unlessNoSpace } from "../step.ts";
import { type Draft, DRAFT_FILE, draftWork, readDraft } from "./record.ts";

export interface DraftLimits {
  /** Of a copy that shares nothing. */
  readonly bytes: number;
  readonly entries: number;
}

const TIMEOUT = 2 * 60_000;
const TOO_MANY = 75;
const TOO_LARGE = 74;

/**
 * `$1` what is copied, `$2` where to, `$3` bytes and `$4` entries that it may have. The last line is the number of files
 * without those of `.git`.
 */
const SCRIPT = String.raw`set -eu
counts=$(find "$1" -printf '%y %s %P\n' | awk -v most="$4" '
  { n++; bytes += $2; if ($1 != "d" && $3 !~ /^\.git(\/|$)/) files++; if (n > most) exit }
  END { printf "%d %.0f %d", n, bytes, files }')
set -- "$1" "$2" "$3" "$4" $counts
[ "$5" -le "$4" ] || exit 75
first=$(find "$1" -type f -size +0 -print -quit)
if ! cp --reflink=always -- "$first" "$2/.first" 2> /dev/null; then [ "$6" -le "$3" ] || exit 74; fi
rm -f "$2/.first"
cp -dR --preserve=mode,timestamps,links --reflink=auto -- "$1/." "$2/"
printf '\n%s\n' "$7"`;

export const openDraft = async (
  world: WorkspaceParts,
  id: ConversationId,
  workspace: Workspace,
  { limits, now }: { readonly limits: DraftLimits; readonly now: number },
  signal: AbortSignal,
): Promise<Answer<Draft>> => {
  const own = await world.trees.existing(id);
  const source = own === null ? await world.trees.shared(id, workspace, unwatched(signal)) : done(own);
  if (source.kind !== "done") return source;
  return putDraft(world, { id, workspace, source: source.value, limits }, signal, async (work, files) => {
    // Of the copy: the checkout itself may change meanwhile.
    const from = own === null ? null : await packOf(world, { work, workspace }, signal);
    if (from !== null && from.kind !== "done") return from;
    const tree = from?.value.tree ?? null;
    return done({ version: 1, base: workspace.commit, from: tree, files, at: now });
  });
};

/** A conversation goes on in another one, which has the same commit: its draft goes along. False where it has none. */
export const carryDraft = async (
  world: WorkspaceParts,
  { from, to }: { readonly from: ConversationId; readonly to: ConversationId },
  limits: DraftLimits,
  signal: AbortSignal,
): Promise<Answer<boolean>> => {
  const { layout } = world;
  const [draft, workspace, there] = await Promise.all([
    readDraft(layout, from),
    readRecord(layout, to),
    readDraft(layout, to),
  ]);
  if (there !== null) return done(true);
  if (draft === null || workspace === null || draft.base !== workspace.commit) return done(false);
  const what = { id: to, workspace, source: draftWork(layout, from), limits };
  const put = await putDraft(world, what, signal, () => Promise.resolve(done(draft)));
  return put.kind === "done" ? done(true) : put;
};

const putDraft = async (
  world: WorkspaceParts,
  {
    id,
    workspace,
    source,
    limits,
  }: {
    readonly id: ConversationId;
    readonly workspace: Workspace;
    readonly source: string;
    readonly limits: DraftLimits;
  },
  signal: AbortSignal,
  record: (work: string, files: number) => Promise<Answer<Draft>>,
): Promise<Answer<Draft>> => {
  const { sandbox, layout } = world;
  const { slot } = workspace;
  const aside = await makeAside(layout, "draft");
  try {
    const work = workOf(aside);
    await mkdir(work);
    await handOver(sandbox, work, slot);
    const copied = await copyTree(world, { from: source, to: work, slot, limits }, signal);
    if (copied.kind !== "done") return copied;
    const draft = await record(work, copied.value);
    if (draft.kind !== "done") return draft;
    const home = await makeHome(world, homeOf(aside), workspace);
    if (home.kind !== "done") return home;
    await writeDurably(join(aside, DRAFT_FILE), JSON.stringify(draft.value));
    const directory = draftOf(layout.thread(id));
    await mkdir(dirname(directory), { recursive: true });
    // What is there is no draft that could be read.
    await removeTree(directory);
    await rename(aside, directory);
    await syncDirectory(dirname(directory));
    return draft;
  } finally {
    await removeTree(aside);
  }
};

/** Answers the number of files without those of `.git`. `to` is empty and belongs to the user of `slot`. */
export const copyTree = async (
  { sandbox }: Pick<WorkspaceParts, "sandbox">,
  {
    from,
    to,
    slot,
    limits,
  }: { readonly from: string; readonly to: string; readonly slot: number; readonly limits: DraftLimits },
  signal: AbortSignal,
): Promise<Answer<number>> => {
  const old = { source: from, target: SEEN.source, write: false };
  const work = { source: to, target: SEEN.work, write: true };
  const bounds = [limits.bytes, limits.entries].map(String);
  const argv = ["/bin/sh", "-c", SCRIPT, "sh", seenAt(sandbox, old), seenAt(sandbox, work), ...bounds];
  const ran = await runStep(sandbox, { mounts: [work, old], slot, argv, timeout: TIMEOUT, signal });
  if (ran.kind !== "done") return ran;
  const { code, text } = ran.value;
  if (code === TOO_MANY)
    return tooLarge(`it has more than ${limits.entries.toLocaleString("en")} files and directories`);
  if (code === TOO_LARGE) return tooLarge(`it is larger than ${Math.round(limits.bytes / 2 ** 20)} MiB`);
  if (code !== 0) return unlessNoSpace(text, "the checkout could not be copied");
  return done(Number(/(\d+)\n$/.exec(text)?.[1] ?? 0));
};

const tooLarge = (why: string): Answer<never> => ({ kind: "trouble", trouble: { kind: "noCopy", why } });

const done = <T>(value: T): Answer<T> => ({ kind: "done", value });
