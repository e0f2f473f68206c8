/** An existing empty directory is filled instead of replaced, because it may be a mount, such as a container's volume. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { PLATFORMS } from "../chat/platforms.ts";
import { UNDER_WAY } from "../settings/data-directory.ts";
import { SCHEMA } from "../../store/base/migrations.ts";
import { checkSnapshot } from "../../store/snapshot.ts";
import { type BackupNote, backupNote, BACKUP_NOTE, sha256 } from "./backup.ts";
import { complain } from "./shared/complain.ts";
import { copyBackupTree } from "./copy-tree.ts";
import { loadConfig } from "./shared/load-config.ts";

const USAGE =
  "Usage: parley restore DIR   (DIR: made by parley backup; PARLEY_DATA: the empty directory to fill)";

export const restoreCommand = async (args: readonly string[]): Promise<number> => {
  const [named] = args;
  if (named === undefined || args.length > 1 || named.startsWith("-")) return complain(USAGE);
  const config = loadConfig();
  if (config === null) return 1;
  const source = resolve(named);
  const target = config.PARLEY_DATA;
  if (isFilled(target))
    return complain(
      `${target} is not empty. Stop Parley, move that directory away (or set PARLEY_DATA to another directory), and run this command again.`,
    );
  const note = await proven(source);
  if (typeof note === "string") return complain(note);
  const isThere = existsSync(target);
  const partial = isThere ? join(target, UNDER_WAY) : `${target}.partial`;
  if (isThere) empty(target);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(dirname(partial), { recursive: true });
  mkdirSync(partial, { mode: 0o700 });
  const entries = readdirSync(source).filter((name) => name !== BACKUP_NOTE && name !== LOST);
  const copied = await copyBackupTree(
    entries.map((name) => join(source, name)),
    partial,
  );
  if (copied.kind === "failed") {
    rmSync(partial, { recursive: true, force: true });
    return complain(`${source} could not be copied to ${target}: ${copied.message}`);
  }
  if (isThere) moveUp(partial, target);
  else renameSync(partial, target);
  console.log(`restored: ${target}, state of ${note.at} (Parley ${note.parley})`);
  const platforms = PLATFORMS.map(({ title }) => title).join(" and ");
  console.log(`Parley reads later messages from ${platforms} at the next start.`);
  return 0;
};

/** Folder that every new ext4 file system contains. */
const LOST = "lost+found";

/** Remains of an interrupted restore do not count, because Parley does not start on them. */
const isFilled = (target: string): boolean => {
  if (!existsSync(target)) return false;
  const names = readdirSync(target);
  return !names.includes(UNDER_WAY) && names.some((name) => name !== LOST);
};

const empty = (target: string): void => {
  for (const name of readdirSync(target))
    if (name !== LOST) rmSync(join(target, name), { recursive: true, force: true });
  if (statSync(target).uid === process.geteuid?.()) chmodSync(target, 0o700);
};

/** Removes the directory of the restore last, because Parley does not start while that directory exists. */
const moveUp = (partial: string, target: string): void => {
  for (const name of readdirSync(partial)) renameSync(join(partial, name), join(target, name));
  rmdirSync(partial);
};

/** The note of a backup with an unchanged database, or the reason why the backup cannot be used. */
const proven = async (source: string): Promise<BackupNote | string> => {
  const path = join(source, BACKUP_NOTE);
  if (!existsSync(path)) return `${source} is not a backup: the file ${BACKUP_NOTE} is missing. ${USAGE}`;
  try {
    const note = backupNote.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (!note.success) return `${path} is invalid: ${z.prettifyError(note.error)}`;
    const database = join(source, "parley.sqlite");
    if ((await sha256(database)) !== note.data.database)
      return `${database} has changed since the backup: the checksum differs. Use another backup.`;
    if (note.data.schema > SCHEMA)
      return `A newer Parley made ${source} (schema ${note.data.schema}; this version knows ${SCHEMA}): restore the backup with that version, or use a backup from before the upgrade.`;
    const checked = checkSnapshot(database);
    return checked.kind === "failed" ? checked.message : note.data;
  } catch (error) {
    return `${source} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
};
