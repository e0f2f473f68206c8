/** The last archive counts. A restoring host stores a later one, which tells a returning host that its checkout is stale. */

import { readFile, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ConversationId } from "../../machine/id.ts";
import { discardTree, makeStagingDir, makeAsideFor, putInPlace } from "../disk/staging.ts";
import { readRecord, type Workspace } from "../checkout/record.ts";
import { draftOf, workOf } from "../checkout/policy.ts";
import { isThere, syncDirectory, unlessMissing, writeDurably } from "../disk/durable.ts";
import { InTheWay } from "../run/git-trouble.ts";
import {
  type ArchiveNote,
  archiveOf,
  contentOf,
  type ArchiveContents,
  ARCHIVED_FILES,
  MOVED,
  ARCHIVE_NOTE,
  noteDamage,
  packedIn,
  textual,
  wasFoundDamaged,
} from "./archive.ts";
import { owe } from "./restore-checkout.ts";
import {
  DRAFT_FILES,
  type DraftArchiveDeps,
  DRAFTED,
  packDraft,
  packInto,
  unpackDraft,
} from "./draft-archive.ts";
import { type ArchiveMark, createSharedArchives } from "./shared-archives.ts";

export type Travels = NonNullable<ReturnType<typeof createCheckoutTransfer>>;

/** Null if each host keeps its own checkouts. */
export const createCheckoutTransfer = (deps: DraftArchiveDeps) => {
  const { layout, clock, sandbox, fleet } = deps;
  const { shared = null, epoch: ours = 0 } = fleet ?? {};
  if (shared === null) return null;
  const touched = new Set<ConversationId>();
  /** Conversations whose last checkout is known to be on this host. */
  const mine = new Set<ConversationId>();
  /** Findings of each checkout when it was last stored. */
  const kept = new Map<ConversationId, string>();

  const shelf = createSharedArchives(shared, deps.log);
  const newest = async (id: ConversationId): Promise<string | null> => (await shelf.names(id)).at(-1) ?? null;
  /** Sorts after every existing archive, also those of other hosts; no other host uses the name. */
  const nextName = async (id: ConversationId): Promise<string> => {
    const [epoch = 0, number = 0] = ((await newest(id)) ?? "").split(/[-.]/).map(Number);
    const [last, count] = epoch < ours ? [ours, 1] : [epoch, number + 1];
    return `${String(last).padStart(12, "0")}-${String(count).padStart(8, "0")}.${ours}`;
  };
  /** File with the name of the archive that this host stored or restored last. */
  const markOf = (id: ConversationId): string => join(layout.thread(id), "travels");

  const broughtTo = (id: ConversationId): string => join(layout.thread(id), "brought");

  /** The last archive if another host made it; null if this host did. */
  const elsewhere = async (id: ConversationId): Promise<string | null> => {
    if (mine.has(id)) return null;
    const last = await newest(id);
    const here = await textOf(markOf(id));
    if (last !== null && last !== here) return last;
    mine.add(id);
    return null;
  };

  const commit = async (id: ConversationId, name: string, mark: ArchiveMark): Promise<void> => {
    await shelf.mark(id, name, mark);
    await writeDurably(markOf(id), name);
    mine.add(id);
  };

  const send = async (
    id: ConversationId,
    name: string,
    contents: ArchiveContents,
  ): Promise<ArchiveMark["files"]> => {
    const sent = Object.entries(contents).map(async ([file, bytes]) => [
      file,
      await shelf.put(id, name, file, bytes),
    ]);
    return Object.fromEntries(await Promise.all(sent));
  };

  const pack = async (id: ConversationId, signal: AbortSignal): Promise<void> => {
    const work = await deps.trees.existing(id);
    const workspace = await readRecord(layout, id);
    if (workspace === null) return;
    await using ownDrop = await makeAsideFor(sandbox, layout, "findings", workspace.slot);
    await using draftDrop = await makeAsideFor(sandbox, layout, "findings", workspace.slot);
    const stands = work === null ? null : { what: "changed checkout", work, under: [], drop: ownDrop.path };
    // An archive without a note counts as damaged.
    const own = stands === null ? null : await packInto(deps, workspace, stands, signal);
    const draft = await packDraft(deps, workspace, draftDrop.path, signal);
    const found = `${own} ${draft?.findings ?? null}`;
    const isEmpty = work === null && draft === null;
    if (kept.get(id) === found || (isEmpty && (await newest(id)) === null)) return;
    const name = await nextName(id);
    const files = await send(id, name, {
      ...(own === null ? {} : packedIn(deps, ownDrop.path)),
      ...draft?.contents,
    });
    const [packed = "", changed = ""] = ARCHIVED_FILES.map((file) => files[file]);
    if (own !== null) {
      const at = clock.now();
      const note: ArchiveNote = {
        version: 1,
        commit: workspace.commit,
        since: at,
        at,
        work: packed,
        changed,
      };
      await send(id, name, { [ARCHIVE_NOTE]: textual(JSON.stringify(note)) });
    }
    await commit(id, name, { own: work !== null, draft: draft !== null, files });
    kept.set(id, found);
  };

  /** Stores a local archive that has no checkout next to it. */
  const copy = async (id: ConversationId): Promise<void> => {
    const name = await nextName(id);
    const from = archiveOf(layout, id);
    const contents = OWN.map((file) => [file, contentOf(join(from, file), Infinity)]);
    const files = await send(id, name, Object.fromEntries(contents));
    await commit(id, name, { own: true, draft: false, files });
  };

  /** Lost or damaged files are missing afterwards. */
  const fetchInto = async (
    aside: string,
    id: ConversationId,
    last: string,
    { of = last, files }: ArchiveMark,
    names: readonly string[],
  ): Promise<void> => {
    await writeDurably(join(aside, MOVED), last);
    for (const name of names) await shelf.get(id, of, name, join(aside, basename(name)), files[name]);
  };

  /** Asks people first: only the next request continues without the draft. */
  const goOnWithoutDraft = async (id: ConversationId, archive: string): Promise<void> => {
    if (await wasFoundDamaged(archive))
      return rename(archive, join(layout.thread(id), `kept-draft-${clock.now()}`));
    await noteDamage(archive);
    throw new InTheWay({ kind: "archive", why: "draft", at: `threads/${id}/brought` });
  };

  /** Forgets local knowledge, because another host now owns the conversation. */
  const doubt = (id: ConversationId): void => {
    for (const known of [touched, kept, mine])
      for (const one of known.keys()) if (isOf(id, one)) known.delete(one);
  };

  return {
    touch: (id: ConversationId): void => void touched.add(id),
    /** A checkout that cannot be kept is recorded, so that the thread is told after a takeover. */
    keep: async (id: ConversationId, signal: AbortSignal): Promise<void> => {
      for (const one of touched) {
        if (!isOf(id, one)) continue;
        touched.delete(one);
        await pack(one, signal).catch((error: unknown) => {
          touched.add(one);
          throw error;
        });
      }
    },
    /** Stores a local or parked checkout that was never stored, as on a machine whose host ran alone before. */
    adopt: async (id: ConversationId, signal: AbortSignal): Promise<void> => {
      if (await isThere(markOf(id))) return;
      const isParked = (await deps.trees.existing(id)) === null && (await isThere(archiveOf(layout, id)));
      await (isParked ? copy(id) : pack(id, signal));
    },
    isElsewhere: async (id: ConversationId): Promise<boolean> => (await elsewhere(id)) !== null,
    /** Replaces the local checkout by the last archive of another host. */
    bring: async (id: ConversationId): Promise<void> => {
      const last = await elsewhere(id);
      if (last === null) return;
      const thread = layout.thread(id);
      const mark = await shelf.read(id, last);
      // A damaged archive is not fetched again, because people have been asked about it. The checkout is put in place last.
      const whole = mark.own ? archiveOf(layout, id) : broughtTo(id);
      if ((await textOf(join(whole, MOVED))) === last) return;
      await using own = await makeStagingDir(layout, "brought");
      await using draft = await makeStagingDir(layout, "brought");
      if (mark.own) await fetchInto(own.path, id, last, mark, OWN);
      if (mark.draft) await fetchInto(draft.path, id, last, mark, DRAFTED);
      for (const path of [workOf(thread), archiveOf(layout, id), draftOf(thread), broughtTo(id)])
        await discardTree(layout, path, "travelled");
      if (mark.draft) await putInPlace(draft, broughtTo(id));
      if (mark.own) await putInPlace(own, archiveOf(layout, id));
      await syncDirectory(thread);
    },
    putDraftBack: async (workspace: Workspace, signal: AbortSignal): Promise<void> => {
      const { id } = workspace;
      const archive = broughtTo(id);
      if (!(await isThere(archive))) return;
      const isWhole = await Promise.all(DRAFT_FILES.map((name) => isThere(join(archive, name))));
      if (isWhole.includes(false)) return goOnWithoutDraft(id, archive);
      await unpackDraft(deps, workspace, archive, signal);
      await owe(layout, id, { kind: "whole", days: 0, moved: true });
      await discardTree(layout, archive, "travelled");
    },
    /** Declares the local checkout to be the last one. */
    settle: async (id: ConversationId): Promise<void> => {
      const last = await elsewhere(id);
      if (last === null) return;
      await commit(id, await nextName(id), { of: last, ...(await shelf.read(id, last)) });
    },
    doubt,
    remove: async (id: ConversationId): Promise<void> => {
      doubt(id);
      await shelf.remove(id, (name) => isOf(id, name));
    },
  };
};

const textOf = (path: string): Promise<string | null> => readFile(path, "utf8").catch(unlessMissing);

const OWN = [...ARCHIVED_FILES, ARCHIVE_NOTE];

/** Whether `name` is the conversation or one of its further repositories. */
const isOf = (id: ConversationId, name: string): boolean => name === id || name.startsWith(`${id}-beside-`);
