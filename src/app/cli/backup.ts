/** Parley may run. The database is copied first: blobs and mirrors only gain entries, so no reference of the copy breaks. */

import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { makeAbove } from "../settings/data-directory.ts";
import { takeSnapshot } from "../../store/snapshot.ts";
import { version } from "../settings/version.ts";
import { markBackup } from "../../workspace/parking/checkout-lock.ts";
import { complain } from "./shared/complain.ts";
import { copyBackupTree } from "./copy-tree.ts";
import { loadConfig } from "./shared/load-config.ts";

export const BACKUP_NOTE = "backup.json";
export const backupNote = z.object({
  parley: z.string(),
  schema: z.int(),
  at: z.iso.datetime(),
  /** SHA-256 of parley.sqlite, in hexadecimal digits. */
  database: z.string(),
});
export type BackupNote = z.infer<typeof backupNote>;

const USAGE = "Usage: parley backup DIR   (DIR must not exist yet)";

export const backupCommand = async (args: readonly string[]): Promise<number> => {
  const [named] = args;
  if (named === undefined || args.length > 1 || named.startsWith("-")) return complain(USAGE);
  const config = loadConfig();
  if (config === null) return 1;
  const target = resolve(named);
  if (existsSync(target)) return complain(`${target} exists already. ${USAGE}`);
  if (isBelow(config.PARLEY_DATA, target)) return complain(inside(target));
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const problem = placeFor(target, config.PARLEY_DATA) ?? (await fill(config.PARLEY_DATA, partial));
  if (problem !== null) {
    rmSync(partial, { recursive: true, force: true });
    return complain(problem);
  }
  renameSync(partial, target);
  console.log(`backup: ${target}`);
  console.log(
    `To restore this backup, set PARLEY_DATA to an empty directory and run parley restore ${target}`,
  );
  return 0;
};

const isBelow = (directory: string, path: string): boolean => `${path}/`.startsWith(`${directory}/`);

const inside = (target: string): string =>
  `${target} is inside the data directory; choose a directory outside.`;

/** Null if the target can be used. */
const placeFor = (target: string, data: string): string | null => {
  try {
    makeAbove(dirname(target));
    // A symbolic link may still lead into the data directory.
    const isInside = existsSync(data) && isBelow(realpathSync(data), realpathSync(dirname(target)));
    return isInside ? inside(target) : null;
  } catch (cause) {
    return `${dirname(target)} could not be created: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
};

/** Entries that every start creates again, or that are useless elsewhere. */
const LEFT_OUT =
  /^(?:parley\.sqlite|parley\.lock|backup\.under-way$|staging$|bin$|prepared$|certificates\.pem$|\.trial-|lost\+found$)/;

/** Null if the copy is complete. */
const fill = async (data: string, target: string): Promise<string | null> => {
  let end: (() => void) | null = null;
  try {
    if (existsSync(data)) end = markBackup(data);
    mkdirSync(target, { mode: 0o700 });
    const database = join(target, "parley.sqlite");
    const taken = takeSnapshot(data, database);
    if (taken.kind === "failed") return taken.message;
    const entries = readdirSync(data).filter((name) => !LEFT_OUT.test(name));
    const copied = await copyBackupTree(
      entries.map((name) => join(data, name)),
      target,
    );
    if (copied.kind === "failed") return `The files of ${data} could not be copied: ${copied.message}`;
    const note: BackupNote = {
      parley: version,
      schema: taken.schema,
      at: new Date().toISOString(),
      database: await sha256(database),
    };
    writeFileSync(join(target, BACKUP_NOTE), `${JSON.stringify(note, null, 2)}\n`, { flush: true });
    return null;
  } catch (error) {
    return `${target} could not be written: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    end?.();
  }
};

export const sha256 = async (path: string): Promise<string> => {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
};
