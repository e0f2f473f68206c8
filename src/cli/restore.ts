/** `parley restore DIR`: an empty data directory filled from what `parley backup` made, after it proved to be whole. */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { checkSnapshot } from "../store/snapshot.ts";
import { type BackupNote, sha256 } from "./backup.ts";
import { complain } from "./complain.ts";
import { copyTree } from "./copy-tree.ts";
import { loadConfig } from "./load-config.ts";

const USAGE =
  "Usage: parley restore DIR   (DIR was made by parley backup; PARLEY_DATA names the place to fill)";

export const restoreCommand = async (args: readonly string[]): Promise<number> => {
  const [named] = args;
  if (named === undefined || args.length > 1 || named.startsWith("-")) return complain(USAGE);
  const config = loadConfig();
  if (config === null) return 1;
  const source = resolve(named);
  const target = config.PARLEY_DATA;
  if (existsSync(target) && readdirSync(target).length > 0)
    return complain(
      `${target} is not empty. Stop Parley, move that directory away (or set PARLEY_DATA to another), and run this again.`,
    );
  const note = await proven(source);
  if (typeof note === "string") return complain(note);
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  mkdirSync(partial, { mode: 0o700 });
  const entries = readdirSync(source).filter((name) => name !== NOTE);
  const copied = await copyTree(
    entries.map((name) => join(source, name)),
    partial,
  );
  if (copied.kind === "failed") {
    rmSync(partial, { recursive: true, force: true });
    return complain(`${source} could not be copied to ${target}: ${copied.message}`);
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(partial, target);
  console.log(`restored: ${target}, as it was at ${note.at} (Parley ${note.parley})`);
  console.log("Messages that came later are fetched again from Slack and Discord when Parley starts.");
  return 0;
};

const NOTE = "backup.json";

const noteSchema = z.object({
  parley: z.string(),
  schema: z.int(),
  at: z.iso.datetime(),
  database: z.string(),
});

/** The note of a backup whose database is the one that was written, or why it is none. */
const proven = async (source: string): Promise<BackupNote | string> => {
  const path = join(source, NOTE);
  if (!existsSync(path)) return `${source} is no backup: it has no ${NOTE}. ${USAGE}`;
  try {
    const note = noteSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (!note.success) return `${path} cannot be understood: ${z.prettifyError(note.error)}`;
    const database = join(source, "parley.sqlite");
    if ((await sha256(database)) !== note.data.database)
      return `${database} is not what the backup wrote: its checksum differs. Use another backup.`;
    const checked = checkSnapshot(database);
    return checked.kind === "failed" ? checked.message : note.data;
  } catch (error) {
    return `${source} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
};
