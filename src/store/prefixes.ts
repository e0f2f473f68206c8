/** System prompts and tools that conversations were begun with, stored once each (D16). */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { Prefix } from "../runtime/ports.ts";
import { encode, json, type Read } from "./codec.ts";
import { toolSpecs } from "./schema/conversation.ts";

const prefix = z.object({ hash: z.string(), system: json(z.string()), tools: json(toolSpecs) });

export const createPrefixes = (db: Database, read: Read) => {
  const insert = db.prepare(
    "INSERT INTO prefixes (hash, system, tools) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING",
  );
  const select = db.prepare("SELECT hash, system, tools FROM prefixes WHERE hash = ?");

  return {
    insert({ hash, system, tools }: Prefix): void {
      insert.run(hash, encode(system), encode(tools));
    },

    get(hash: string): Prefix | null {
      const row = select.get(hash);
      return row === undefined ? null : read(prefix, row, { table: "prefixes", hash });
    },
  };
};
