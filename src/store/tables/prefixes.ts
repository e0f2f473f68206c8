/** System prompts and tools that conversations were begun with, stored once each (D16). */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { Prefix } from "../../ports/conversation.ts";
import { encode, json, type Read } from "../codec.ts";
import { toolSpecs } from "../schema/conversation.ts";

const prefix = z.object({ hash: z.string(), system: json(z.string()), tools: json(toolSpecs) });

const KEPT = 16;

export const createPrefixes = (db: Database, read: Read) => {
  const insert = db.prepare(
    "INSERT INTO prefixes (hash, system, tools) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING",
  );
  const select = db.prepare("SELECT hash, system, tools FROM prefixes WHERE hash = ?");
  /** Those that were read last: conversations of one version share a few, and hold them as long as they think. */
  const known = new Map<string, Prefix>();

  return {
    insert({ hash, system, tools }: Prefix): void {
      insert.run(hash, encode(system), encode(tools));
    },

    get(hash: string): Prefix | null {
      const before = known.get(hash);
      if (before !== undefined) return before;
      const row = select.get(hash);
      if (row === undefined) return null;
      const found = read(prefix, row, { table: "prefixes", hash });
      if (found === null) return null;
      if (known.size >= KEPT) known.clear();
      known.set(hash, found);
      return found;
    },
  };
};
