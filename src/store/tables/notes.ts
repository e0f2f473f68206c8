/** Small values that the host stores from one start to the next. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { HostNotes } from "../../ports/alerts.ts";
import type { Tables } from "../../ports/tables.ts";
import type { Read } from "../base/codec.ts";
import { createTable } from "../base/table.ts";
import { type DirectPort, doing } from "../base/write.ts";

export const noteRows: Tables = {
  tables: { notes: { kept: { "state of the host from one start to the next": ["name", "value"] } } },
  erase: {
    person: { kind: "kept", why: "no words" },
    conversation: { kind: "kept", why: "no conversation" },
  },
};

export const createNotes = (db: Database, read: Read): DirectPort<HostNotes> => {
  const notes = createTable(db, read)("notes", ["name"], z.object({ value: z.string() }));
  const note = notes.one();
  const setNote = notes.put();
  return {
    note: (name) => note(name)?.value ?? null,
    setNote: doing((name, value) => setNote(name, { value })),
  };
};
