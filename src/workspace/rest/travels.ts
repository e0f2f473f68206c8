/** Checkouts that travel between hosts, in `checkouts/CONVERSATION/EPOCH-NUMBER`, of which the last counts. */

import { copyFile, mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ConversationId } from "../../machine/id.ts";
import { discardTree, makeAside, makeAsideFor, removeTree } from "../aside.ts";
import { readRecord, type Workspace } from "../checkout/record.ts";
import { draftOf, workOf } from "../checkout/policy.ts";
import { isMissing, readJson, syncDirectory, unlessMissing, writeDurably } from "../durable.ts";
import type { Answer } from "../mirror/generation.ts";
import { namesIn } from "../mirror/pins.ts";
import { archiveOf, FILES, isThere, MOVED, NOTE, takeFile, writeNote } from "./archive.ts";
import type { ParkDeps } from "./park.ts";
import { owe } from "./put-back.ts";
import { type DraftArchiveDeps, packDraft, unpackDraft } from "./draft-archive.ts";
import { survey } from "./survey.ts";

export interface Travels {
  /** Something may change the checkout from now on. */
  touch(id: ConversationId): void;
  /** Keeps what was touched. What cannot be kept is noted, so that the thread is told after a takeover. */
  keep(id: ConversationId, signal: AbortSignal): Promise<Answer<null>>;
  /** Keeps one that stands or is parked here and was never kept, as on a machine whose host was alone before. */
  adopt(id: ConversationId, signal: AbortSignal): Promise<Answer<null>>;
  /** Another host had it last. */
  isElsewhere(id: ConversationId): Promise<boolean>;
  /** Puts the archive in the place of the local checkout then. */
  bring(id: ConversationId): Promise<void>;
  /** The draft that came with it, after the checkout. */
  putDraftBack(id: ConversationId, workspace: Workspace, signal: AbortSignal): Promise<Answer<null>>;
  /** The checkout that stands here is the last one. */
  settle(id: ConversationId): Promise<void>;
  remove(id: ConversationId): Promise<void>;
}

/** Where nothing travels. */
export const STAYING: Travels = {
  touch: () => undefined,
  keep: () => Promise.resolve(DONE),
  adopt: () => Promise.resolve(DONE),
  isElsewhere: () => Promise.resolve(false),
  bring: () => Promise.resolve(),
  putDraftBack: () => Promise.resolve(DONE),
  settle: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

interface TravelsDeps extends DraftArchiveDeps, Pick<ParkDeps, "now"> {
  /** That all hosts see. */
  readonly shared: string;
  /** How often one of the hosts has taken over, this time included. */
  readonly epoch: number;
}

export const createTravels = (deps: TravelsDeps): Travels => {
  const { layout, log, shared, sandbox, limits } = deps;
  const touched = new Set<ConversationId>();
  /** Of which this process knows that nobody else had them last. */
  const mine = new Set<ConversationId>();
  /** What was found in the checkout when it was kept. */
  const kept = new Map<ConversationId, string>();
  let count = 0;

  const folder = (id: ConversationId): string => join(shared, "checkouts", id);
  const newest = async (id: ConversationId): Promise<string | null> =>
    (await namesIn(folder(id)))
      .filter((name) => NAME.test(name))
      .toSorted()
      .at(-1) ?? null;
  const nextName = (): string => {
    count += 1;
    return `${String(deps.epoch).padStart(12, "0")}-${String(count).padStart(8, "0")}`;
  };
  /** Which of the archives the checkout of this host is, or was last kept as. */
  const markOf = (id: ConversationId): string => join(layout.thread(id), "travels");

  const broughtTo = (id: ConversationId): string => join(layout.thread(id), "brought");

  /** The archive that another host made last; null where it was this one. */
  const elsewhere = async (id: ConversationId): Promise<string | null> => {
    if (mine.has(id)) return null;
    const last = await newest(id);
    const here = await textOf(markOf(id));
    if (last !== null && last !== here) return last;
    mine.add(id);
    return null;
  };

  /** Makes it the last one: from then on what was before is rubbish. */
  const commit = async (id: ConversationId, from: string): Promise<void> => {
    const name = nextName();
    await rename(from, join(folder(id), name));
    await syncDirectory(folder(id));
    await writeDurably(markOf(id), name);
    mine.add(id);
    for (const old of await namesIn(folder(id))) if (old < name) await removeTree(join(folder(id), old));
  };

  /** Answers what was found in the checkout; null where it cannot be kept. */
  const packOwn = async (
    id: ConversationId,
    {
      work,
      workspace,
      archive,
    }: { readonly work: string; readonly workspace: Workspace; readonly archive: string },
    signal: AbortSignal,
  ): Promise<Answer<string | null>> => {
    const drop = await makeAsideFor(sandbox, layout, "findings", workspace.slot);
    try {
      const found = await survey(deps, { work, drop, workspace, packed: true }, signal);
      if (found.kind !== "done") return found;
      const { value } = found;
      if (value.kind === "unfit") {
        // Without a note it counts as damaged.
        log.warn("a checkout that was changed cannot travel to another host", {
          conversation: id,
          why: value.why,
        });
        return { kind: "done", value: null };
      }
      const [packed, changed] = FILES;
      const take = (name: string): Promise<string> =>
        takeFile(join(drop, name), join(archive, name), 2 * limits.bytes);
      const hashes = { work: await take(packed), changed: await take(changed) };
      const at = deps.now();
      await writeNote(archive, { version: 1, commit: workspace.commit, since: at, at, ...hashes });
      return { kind: "done", value: value.findings };
    } finally {
      await removeTree(drop);
    }
  };

  const pack = async (id: ConversationId, signal: AbortSignal): Promise<Answer<null>> => {
    const work = await deps.trees.existing(id);
    const workspace = await readRecord(layout, id);
    if (workspace === null) return DONE;
    const archive = join(folder(id), `.${nextName()}`);
    try {
      await mkdir(archive, { recursive: true, mode: 0o700 });
      const own = work === null ? NOTHING : await packOwn(id, { work, workspace, archive }, signal);
      if (own.kind !== "done") return own;
      const draft = await packDraft(deps, { id, workspace, archive: join(archive, DRAFT) }, signal);
      if (draft.kind !== "done") return draft;
      const found = `${own.value} ${draft.value}`;
      const isEmpty = work === null && draft.value === null;
      if (kept.get(id) === found || (isEmpty && (await newest(id)) === null)) return DONE;
      const what: What = { own: work !== null, draft: draft.value !== null };
      await writeDurably(join(archive, WHAT), JSON.stringify(what));
      kept.set(id, found);
      await commit(id, archive);
      return DONE;
    } finally {
      await removeTree(archive);
    }
  };

  /** Of an archive beside which no checkout stands. */
  const copy = async (id: ConversationId): Promise<Answer<null>> => {
    const archive = join(folder(id), `.${nextName()}`);
    try {
      await mkdir(archive, { recursive: true, mode: 0o700 });
      for (const name of [...FILES, NOTE])
        await copyFile(join(archiveOf(layout, id), name), join(archive, name));
      await commit(id, archive);
      return DONE;
    } finally {
      await removeTree(archive);
    }
  };

  return {
    touch: (id) => void touched.add(id),
    keep: async (id, signal) => {
      for (const one of touched) {
        if (!isOf(id, one)) continue;
        touched.delete(one);
        const packed = await pack(one, signal).catch((error: unknown) => {
          touched.add(one);
          throw error;
        });
        if (packed.kind !== "done") {
          touched.add(one);
          return packed;
        }
      }
      return DONE;
    },
    adopt: async (id, signal) => {
      if (await isThere(markOf(id))) return DONE;
      const isParked = (await deps.trees.existing(id)) === null && (await isThere(archiveOf(layout, id)));
      return isParked ? copy(id) : pack(id, signal);
    },
    isElsewhere: async (id) => (await elsewhere(id)) !== null,
    bring: async (id) => {
      const last = await elsewhere(id);
      // What was found damaged is not brought anew: people have been asked about it.
      if (last === null || (await textOf(join(archiveOf(layout, id), MOVED))) === last) return;
      const thread = layout.thread(id);
      const from = join(folder(id), last);
      // Of one that was lost nobody knows what was in it.
      const what = (await readJson(join(from, WHAT), whatSchema)) ?? { own: true, draft: false };
      for (const path of [workOf(thread), archiveOf(layout, id), draftOf(thread), broughtTo(id)])
        await discardTree(layout, path, "travelled");
      if (what.draft) {
        const aside = await makeAside(layout, "brought");
        for (const name of await namesIn(join(from, DRAFT)))
          await copyFile(join(from, DRAFT, name), join(aside, name));
        await rename(aside, broughtTo(id));
      }
      if (what.own) {
        const aside = await makeAside(layout, "parked");
        await writeDurably(join(aside, MOVED), last);
        for (const name of [...FILES, NOTE])
          await copyFile(join(from, name), join(aside, name)).catch(unlessMissing);
        await rename(aside, archiveOf(layout, id));
      }
      await syncDirectory(thread);
    },
    putDraftBack: async (id, workspace, signal) => {
      const archive = broughtTo(id);
      if (!(await isThere(archive))) return DONE;
      const made = await unpackDraft(deps, { id, workspace, archive }, signal);
      if (made.kind !== "done") return made;
      await owe(layout, id, { kind: "whole", days: 0, moved: true });
      await discardTree(layout, archive, "travelled");
      return made;
    },
    settle: async (id) => {
      const last = await elsewhere(id);
      if (last === null) return;
      await commit(id, join(folder(id), last)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
    remove: async (id) => {
      touched.delete(id);
      kept.delete(id);
      mine.delete(id);
      for (const name of await namesIn(join(shared, "checkouts")))
        if (isOf(id, name)) await removeTree(join(shared, "checkouts", name));
    },
  };
};

const textOf = (path: string): Promise<string | null> => readFile(path, "utf8").catch(unlessMissing);

const whatSchema = z.object({ own: z.boolean(), draft: z.boolean() });
/** What an archive holds; written before it counts. */
type What = Readonly<z.infer<typeof whatSchema>>;
const WHAT = "what.json";
const DRAFT = "draft";
const NOTHING: Answer<null> = { kind: "done", value: null };

const DONE: Answer<null> = { kind: "done", value: null };
/** The conversation's own, or that of one of its further repositories. */
const isOf = (id: ConversationId, name: string): boolean => name === id || name.startsWith(`${id}-beside-`);
const NAME = /^\d{12}-\d{8}$/;
