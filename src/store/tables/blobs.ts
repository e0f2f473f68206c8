/**
 * Pictures and files by the SHA-256 of their content, under `blobs` of the data directory. A name appears only
 * when its content is whole and on the disk.
 */

import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Log, WriteFailure } from "../../ports/host.ts";
import type { Blobs } from "../../ports/store.ts";
import { silentLog } from "../silent-log.ts";

type Stored = Awaited<ReturnType<Blobs["put"]>>;

/** `directory` is PARLEY_DATA. Nothing is made before the first `put`. */
export const createBlobs = (directory: string, log: Log = silentLog): Blobs => {
  const folder = join(directory, "blobs");
  /** Equal contents put at once share one write, and so one temporary name. */
  const writing = new Map<string, Promise<Stored>>();

  const put = (bytes: Uint8Array): Promise<Stored> => {
    const hash = sha256(bytes);
    const begun = writing.get(hash);
    if (begun !== undefined) return begun;
    const written = store(folder, hash, bytes).finally(() => writing.delete(hash));
    writing.set(hash, written);
    return written;
  };

  /** Null for a name that is no hash, for what is not there, and for content that no longer matches its name. */
  const get = async (hash: string): Promise<Buffer | null> => {
    if (!HASH.test(hash)) return null;
    try {
      const bytes = await readFile(join(folder, hash));
      if (sha256(bytes) === hash) return bytes;
      log.error("a stored file no longer matches its hash", { hash });
    } catch (error) {
      if (codeOf(error) !== "ENOENT")
        log.error("a stored file cannot be read", { hash, code: codeOf(error) });
    }
    return null;
  };

  const remove = async (hash: string): Promise<void> => {
    if (!HASH.test(hash)) return;
    try {
      await unlink(join(folder, hash));
    } catch (error) {
      if (codeOf(error) !== "ENOENT")
        log.error("a stored file cannot be removed", { hash, code: codeOf(error) });
    }
  };

  return { put, get, remove };
};

const HASH = /^[0-9a-f]{64}$/;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const store = async (folder: string, hash: string, bytes: Uint8Array): Promise<Stored> => {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await syncFolder(dirname(made));
    const temporary = join(folder, `${hash}.part`);
    await writeDurably(temporary, bytes);
    await rename(temporary, join(folder, hash));
    await syncFolder(folder);
    return { kind: "stored", hash };
  } catch (error) {
    return failure(codeOf(error));
  }
};

const writeDurably = async (path: string, bytes: Uint8Array): Promise<void> => {
  await using file = await open(path, "w", 0o600);
  await file.writeFile(bytes);
  await file.sync();
};

/** The new name is durable only when its directory is. */
const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, "r");
  await handle.sync();
};

const failure = (code: string): WriteFailure => {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return { kind: "failed", code: "disk_full", message: "the disk of the data directory is full" };
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return { kind: "failed", code: "read_only", message: "the data directory cannot be written" };
    default:
      return { kind: "failed", code: "io", message: `a file could not be stored: ${code}` };
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);
