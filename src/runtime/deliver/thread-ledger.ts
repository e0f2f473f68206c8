/**
 * The ledger rows of one thread in memory. What the disk refuses after a call is kept here and offered again
 * before anything else happens in the thread: an acknowledgement is never forgotten while the process lives.
 */

import type { ConversationId } from "../../machine/id.ts";
import { type DeliveryRow, type Ledger, STATUS_POST, TWIN_MARK } from "../../ports/surface.ts";

/** In the key of a message that nothing wants any more. Its row is read at each start, whatever became of its post. */
const COPY = "/copy/";

export const isCopy = ({ key }: Pick<DeliveryRow, "key">): boolean => key.includes(COPY);

export const copyKey = (key: string, id: string): string => `${key}${COPY}${id}`;

export type ThreadLedger = ReturnType<typeof createThreadLedger>;

export const createThreadLedger = (ledger: Ledger, conversation: ConversationId) => {
  const rows = new Map<string, DeliveryRow>();
  /** Messages that were repeated, by the key of their mark. */
  const marks = new Map<string, DeliveryRow>();
  const unsaved = new Set<string>();
  /** The revision that the disk has not taken yet. */
  let unsettled: number | null = null;

  const save = async (key: string): Promise<void> => {
    const row = rows.get(key) ?? marks.get(key);
    const saved = await (row === undefined ? ledger.drop(conversation, key) : ledger.put(conversation, row));
    if (saved.kind === "failed") unsaved.add(key);
    else unsaved.delete(key);
  };

  const settle = async (revision: number): Promise<void> => {
    const settled = await ledger.settle(conversation, revision);
    unsettled = settled.kind === "failed" ? revision : null;
  };

  /** A process ended between the two writes that free the key of a message. The message may be removed already. */
  const release = ({ key, id }: DeliveryRow): void => {
    const freed = key.slice(0, key.lastIndexOf(COPY));
    if (id === null || rows.get(freed)?.id !== id) return;
    rows.delete(freed);
    unsaved.add(freed);
  };

  const owes = (): boolean => unsaved.size > 0 || unsettled !== null;

  return {
    /** Reads the rows of these posts and of progress messages; those in memory are newer and stay. */
    load: (posts: readonly string[]) => {
      for (const row of ledger.rows(conversation, [...posts, STATUS_POST])) {
        if (isMark(row)) {
          if (!marks.has(row.key) && !unsaved.has(row.key)) marks.set(row.key, row);
        } else if (!rows.has(row.key) && !unsaved.has(row.key)) rows.set(row.key, recovered(row));
      }
      for (const row of rows.values()) if (isCopy(row)) release(row);
    },
    /** A message that is sent again may get a twin, behind the message `since`. Answers the key of the mark. */
    mark: async (row: DeliveryRow, since: string | null): Promise<string> => {
      const key = markOf(row);
      // A twin may stand as far above as the first look began.
      if (marks.has(key)) return key;
      marks.set(key, { ...row, key, post: STATUS_POST, id: since, hash: null, state: "planned" });
      await save(key);
      return key;
    },
    isMarked: (row: DeliveryRow): boolean => marks.has(markOf(row)),
    marks: (): readonly DeliveryRow[] => [...marks.values()],
    unmark: (key: string): Promise<void> => {
      marks.delete(key);
      return save(key);
    },
    /** The row of the marked message as memory or the disk has it; null if nothing wants the message any more. */
    marked: (mark: DeliveryRow): DeliveryRow | null => {
      const key = mark.key.slice(0, mark.key.lastIndexOf(TWIN_MARK));
      return rows.get(key) ?? ledger.rows(conversation, postsOf(key)).find((row) => row.key === key) ?? null;
    },
    rows: (): readonly DeliveryRow[] => [...rows.values()],
    get: (key: string): DeliveryRow | undefined => rows.get(key),
    /** Before a call: false, and nothing is changed, where the disk refuses. */
    write: async (row: DeliveryRow): Promise<boolean> => {
      if ((await ledger.put(conversation, row)).kind === "failed") return false;
      rows.set(row.key, row);
      return true;
    },
    /** After a call: holds in memory at once and whatever the disk says. */
    keep: (row: DeliveryRow): Promise<void> => {
      rows.set(row.key, row);
      return save(row.key);
    },
    /** In memory alone: what a progress message shows now. */
    note: (row: DeliveryRow) => void rows.set(row.key, row),
    drop: (key: string): Promise<void> => {
      rows.delete(key);
      return save(key);
    },
    /** The disk refused something that it has not taken since. */
    owes,
    /** Offers it again; false while the disk still refuses. */
    flush: async (): Promise<boolean> => {
      await Promise.all([...unsaved].map(save));
      if (unsettled !== null) await settle(unsettled);
      return !owes();
    },
    /**
     * Everything up to `revision` is delivered: the rows of posts are let go. Where the disk refuses, it is owed; a
     * process that ends before it is paid leaves a thread that the next one compares once more.
     */
    settle: async (revision: number) => {
      for (const [key, { post }] of rows) if (post !== STATUS_POST) rows.delete(key);
      await settle(revision);
    },
  };
};

const markOf = ({ key, wire }: DeliveryRow): string => `${key}${TWIN_MARK}${wire}`;

/** The mark stands between the key of a message and its wire. A version that does not know marks forgets their rows. */
const isMark = ({ key, state }: DeliveryRow): boolean => state === "planned" && key.includes(TWIN_MARK);

/** Posts that a message of that key may belong to. */
const postsOf = (key: string): readonly string[] => {
  const whole = key.replace(/#\d+$/, "");
  return [whole, whole.replace(/\/files$/, "")];
};

/** A call of a process that ended without an answer: a new message may have arrived, an edit may have been made. */
const recovered = (row: DeliveryRow): DeliveryRow => {
  if (row.state !== "sending") return row;
  return row.id === null ? { ...row, state: "unknown" } : { ...row, state: "sent", hash: null };
};
