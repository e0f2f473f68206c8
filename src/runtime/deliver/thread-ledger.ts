/**
 * If the disk refuses rows of a completed platform call, the rows are written again before anything else happens in the thread.
 */

import type { ConversationId } from "../../machine/id.ts";
import { type DeliveryRow, type Ledger, STATUS_POST, TWIN_MARK } from "../../ports/surface.ts";

/** Part of the key of a message that nothing wants any more. Such rows are read at each start, even without their post. */
const COPY = "/copy/";

export const isCopy = ({ key }: Pick<DeliveryRow, "key">): boolean => key.includes(COPY);

export const copyKey = (key: string, id: string): string => `${key}${COPY}${id}`;

export type ThreadLedger = ReturnType<typeof createThreadLedger>;

export const createThreadLedger = (ledger: Ledger, conversation: ConversationId) => {
  const rows = new Map<string, DeliveryRow>();
  const marks = new Map<string, DeliveryRow>();
  const unsaved = new Set<string>();
  /** Null if the disk has accepted every revision. */
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

  /** Completes a release of a process that ended between the two writes that free a message's key. */
  const release = ({ key, id }: DeliveryRow): void => {
    const freed = key.slice(0, key.lastIndexOf(COPY));
    if (id === null || rows.get(freed)?.id !== id) return;
    rows.delete(freed);
    unsaved.add(freed);
  };

  const owes = (): boolean => unsaved.size > 0 || unsettled !== null;

  return {
    /** Reads the rows of these posts and of progress messages. Rows in memory are newer and stay. */
    load: (posts: readonly string[]) => {
      for (const row of ledger.rows(conversation, [...posts, STATUS_POST])) {
        if (isMark(row)) {
          if (!marks.has(row.key) && !unsaved.has(row.key)) marks.set(row.key, row);
        } else if (!rows.has(row.key) && !unsaved.has(row.key)) rows.set(row.key, recovered(row));
      }
      for (const row of rows.values()) if (isCopy(row)) release(row);
    },
    /** `since`: a twin may appear after this message. Returns the key of the mark. */
    mark: async (row: DeliveryRow, since: string | null): Promise<string> => {
      const key = markOf(row);
      // The first mark stays, because a twin may be as early as the first check.
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
    /** Null if nothing wants the message any more. */
    marked: (mark: DeliveryRow): DeliveryRow | null => {
      const key = mark.key.slice(0, mark.key.lastIndexOf(TWIN_MARK));
      return rows.get(key) ?? ledger.rows(conversation, postsOf(key)).find((row) => row.key === key) ?? null;
    },
    rows: (): readonly DeliveryRow[] => [...rows.values()],
    get: (key: string): DeliveryRow | undefined => rows.get(key),
    /** Returns false and changes nothing if the disk refuses. */
    write: async (row: DeliveryRow): Promise<boolean> => {
      if ((await ledger.put(conversation, row)).kind === "failed") return false;
      rows.set(row.key, row);
      return true;
    },
    /** Changes the row in memory even if the disk refuses. */
    keep: (row: DeliveryRow): Promise<void> => {
      rows.set(row.key, row);
      return save(row.key);
    },
    /** Changes the row in memory alone. */
    note: (row: DeliveryRow) => void rows.set(row.key, row),
    drop: (key: string): Promise<void> => {
      rows.delete(key);
      return save(key);
    },
    owes,
    /** False if the disk still refuses. */
    flush: async (): Promise<boolean> => {
      await Promise.all([...unsaved].map(save));
      if (unsettled !== null) await settle(unsettled);
      return !owes();
    },
    /** Forgets the rows of posts. After a refused write, the next process compares the thread once more. */
    settle: async (revision: number) => {
      for (const [key, { post }] of rows) if (post !== STATUS_POST) rows.delete(key);
      await settle(revision);
    },
  };
};

const markOf = ({ key, wire }: DeliveryRow): string => `${key}${TWIN_MARK}${wire}`;

/** A mark's key is the message's key, TWIN_MARK and the wire. A version without marks forgets these rows. */
const isMark = ({ key, state }: DeliveryRow): boolean => state === "planned" && key.includes(TWIN_MARK);

const postsOf = (key: string): readonly string[] => {
  const whole = key.replace(/#\d+$/, "");
  return [whole, whole.replace(/\/files$/, "")];
};

/** A call without a response, from a process that ended: a new message may have arrived, an edit may have been made. */
const recovered = (row: DeliveryRow): DeliveryRow => {
  if (row.state !== "sending") return row;
  return row.id === null ? { ...row, state: "unknown" } : { ...row, state: "sent", hash: null };
};
