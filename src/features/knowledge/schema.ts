/** The index file. A missing, damaged or older file is rebuilt, because all sources can be read again. */

import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import type { Tables } from "../../ports/tables.ts";

/** See `createThreadsLook`. */
const COMPARED =
  "a look at the solved threads, which follows each change of one, drops those that are solved no more; without their words none is";

/** Must change with every change of the schema below. */
const VERSION = 2;

const SCHEMA = `
CREATE TABLE sources (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  next TEXT, -- where to go on; null: from the beginning
  round INTEGER NOT NULL, -- what was not seen in a whole one is gone
  whole INTEGER, -- when the last whole one ended, in milliseconds; null before
  open INTEGER NOT NULL, -- a round is under way
  sweeping INTEGER NOT NULL, -- and it is a whole one
  due INTEGER NOT NULL, -- when it is looked at next
  read INTEGER, -- when it was last up to date
  texts INTEGER NOT NULL DEFAULT 0, -- that can be found, so that nobody counts passages
  why TEXT -- what keeps it from being read
);
CREATE TABLE passages (
  id INTEGER PRIMARY KEY, -- the source's times 2^32, and a number of its own: words are told apart by it without a look here
  source INTEGER NOT NULL,
  key TEXT NOT NULL,
  part INTEGER NOT NULL,
  of TEXT,
  address TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT,
  version TEXT,
  at INTEGER NOT NULL,
  round INTEGER NOT NULL,
  text TEXT NOT NULL, -- last, so that whoever looks at the others does not read it
  UNIQUE (source, key, part)
);
CREATE TRIGGER text_added AFTER INSERT ON passages WHEN NEW.part = 0
  BEGIN UPDATE sources SET texts = texts + 1 WHERE id = NEW.source; END;
CREATE TRIGGER text_dropped AFTER DELETE ON passages WHEN OLD.part = 0
  BEGIN UPDATE sources SET texts = texts - 1 WHERE id = OLD.source; END;
CREATE INDEX passages_by_address ON passages (address);
CREATE INDEX passages_by_parent ON passages (source, of) WHERE of IS NOT NULL;
CREATE VIRTUAL TABLE words USING fts5 (
  title, text, content = '', contentless_delete = 1, tokenize = "porter unicode61 remove_diacritics 2"
);
CREATE TABLE pages (
  source INTEGER NOT NULL,
  address TEXT NOT NULL,
  depth INTEGER NOT NULL,
  done INTEGER NOT NULL, -- the round that it was read in
  gone INTEGER NOT NULL, -- there was none: it goes with the end of the round
  tag TEXT, -- as its server names its state
  PRIMARY KEY (source, address)
) WITHOUT ROWID;
`;

/** Only solved threads contain texts of people. */
export const knowledgeRows: Tables = {
  tables: {
    sources: {
      kept: {
        "how far each source is read": [
          "id",
          "name",
          "next",
          "round",
          "whole",
          "open",
          "sweeping",
          "due",
          "read",
          "texts",
          "why",
        ],
      },
    },
    passages: {
      both: [
        "id",
        "source",
        "key",
        "part",
        "of",
        "address",
        "title",
        "state",
        "version",
        "at",
        "round",
        "text",
      ],
    },
    words: { both: ["title", "text"] },
    pages: {
      kept: { "addresses of documentation sites": ["source", "address", "depth", "done", "gone", "tag"] },
    },
  },
  erase: {
    person: { kind: "compared", how: COMPARED },
    conversation: { kind: "compared", how: COMPARED },
  },
};

/** Size of the page cache in kibibytes. */
const CACHE = 8 * 1024;

/** Throws SqliteError if the disk refuses. */
export const openIndexForWriting = (name: string): Database.Database => {
  try {
    return (existsSync(name) ? usable(name) : null) ?? recreateIndex(name);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return recreateIndex(name);
  }
};

/** Reads while the writer thread runs. */
export const openForReading = (name: string): Database.Database => {
  const db = new Database(name, { readonly: true, fileMustExist: true });
  db.pragma(`cache_size = -${CACHE}`);
  return db;
};

export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

/** Null if the file has another version or fails the check. */
const usable = (name: string): Database.Database | null => {
  const db = new Database(name);
  try {
    const isOurs = Number(db.pragma("user_version", { simple: true })) === VERSION;
    if (isOurs && db.pragma("quick_check(1)", { simple: true }) === "ok") return hardened(db);
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  return null;
};

/** Relaxes the durability, because content lost in a crash is read again. */
const hardened = (db: Database.Database): Database.Database => {
  // A solved thread contains texts of people, so deleted content is overwritten (D8).
  db.pragma("secure_delete = ON");
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.pragma("trusted_schema = OFF");
  db.pragma("temp_store = MEMORY");
  db.pragma(`cache_size = -${CACHE}`);
  db.pragma("journal_size_limit = 16777216");
  return db;
};

/** Replaces the file by an empty one, which becomes visible only when it is complete. */
export const recreateIndex = (name: string): Database.Database => {
  for (const one of [name, `${name}.new`])
    for (const end of ["", "-wal", "-shm"]) rmSync(`${one}${end}`, { force: true });
  const db = hardened(new Database(`${name}.new`));
  db.exec(SCHEMA);
  db.pragma(`user_version = ${VERSION}`);
  db.close();
  chmodSync(`${name}.new`, 0o600);
  renameSync(`${name}.new`, name);
  return hardened(new Database(name));
};
