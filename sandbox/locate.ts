/**
 * Finds a trustworthy launcher: the prebuilt launcher if its hash is right, a copy if other users could write or replace the
 * file, otherwise a local build.
 */

import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { compileLauncher, LAUNCHER_SOURCE, launcherFiles } from "./compile.ts";

export const PREBUILT = join(import.meta.dirname, "prebuilt");

const Hashes = z.record(z.string(), z.string());

type Located =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * `binDir` (PARLEY_DATA/bin): folder for a copied or built launcher, created if needed. `shipped`: folder of the prebuilt
 * launchers. Never rejects.
 */
export const locateLauncher = async (binDir: string, shipped = PREBUILT): Promise<Located> => {
  if (process.platform !== "linux")
    return { kind: "failed", reason: `the sandbox needs Linux, this is ${process.platform}` };
  const prebuilt = await readPrebuilt(shipped);
  if (prebuilt.kind === "ready") return { kind: "found", path: prebuilt.path };
  try {
    const path = prebuilt.kind === "loose" ? await copy(prebuilt, binDir) : await build(binDir);
    const fault = await trustFault(path);
    return fault === null
      ? { kind: "found", path }
      : { kind: "failed", reason: `${prebuilt.fault}, and a launcher in ${binDir} is no better: ${fault}` };
  } catch (error) {
    const why =
      prebuilt.kind === "loose"
        ? `${prebuilt.fault}, and no copy can be made in ${binDir}`
        : `${prebuilt.fault}, and it cannot be built here`;
    return { kind: "failed", reason: `${why}: ${messageOf(error)}` };
  }
};

type Prebuilt =
  | { readonly kind: "ready"; readonly path: string }
  /** The right bytes in a file that other users may write or replace, for example a clone under umask 002. */
  | { readonly kind: "loose"; readonly bytes: Buffer; readonly fault: string }
  | { readonly kind: "unusable"; readonly fault: string };

const readPrebuilt = async (folder: string): Promise<Prebuilt> => {
  const platform = `linux-${process.arch}`;
  const path = join(folder, platform, "parley-launcher");
  try {
    const hashes = Hashes.parse(JSON.parse(await readFile(join(folder, "sha256.json"), "utf8")));
    const expected = hashes[platform];
    if (expected === undefined) return unusable(`there is no prebuilt launcher for ${platform}`);
    const bytes = await readFile(path);
    if (hashOf(bytes) !== expected) return unusable("the prebuilt launcher has another hash than recorded");
    const fault = await trustFault(path);
    return fault === null ? { kind: "ready", path } : { kind: "loose", bytes, fault };
  } catch (error) {
    return unusable(`the prebuilt launcher cannot be read: ${messageOf(error)}`);
  }
};

const unusable = (fault: string): Prebuilt => ({ kind: "unusable", fault });

export const hashFile = async (path: string): Promise<string> => hashOf(await readFile(path));

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The name contains the hash of the source, so that an update triggers a new build and an old build is found again. */
const build = async (binDir: string): Promise<string> => {
  const hash = createHash("sha256");
  for (const name of await launcherFiles()) hash.update(await readFile(join(LAUNCHER_SOURCE, name)));
  const path = join(binDir, `parley-launcher-${hash.digest("hex").slice(0, 16)}`);
  const built = await trustFault(path).catch(() => "missing");
  if (built !== null) await place(path, (temporary) => compileLauncher("cc", temporary));
  return path;
};

/** Copies the bytes that were hashed, because the file may have changed since. */
const copy = async ({ bytes }: Extract<Prebuilt, { kind: "loose" }>, binDir: string): Promise<string> => {
  const path = join(binDir, `parley-launcher-${hashOf(bytes).slice(0, 16)}`);
  await place(path, (temporary) => writeFile(temporary, bytes));
  return path;
};

/** The file gets its final name only when it is complete. */
const place = async (path: string, make: (temporary: string) => Promise<void>): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  const temporary = `${path}.${process.pid}`;
  await make(temporary);
  await chmod(temporary, 0o755);
  await rename(temporary, path);
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * A trusted program is a file that only root and this process's user can write, in folders where no other user can replace it.
 * Commands of that user cannot write the file either, because of their mounts and Landlock.
 */
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/** Returns null, or a sentence about the user who could change the file. Rejects if the file does not exist. */
const trustFault = async (path: string): Promise<string | null> => {
  const file = await realpath(path);
  const { mode, uid } = await stat(file);
  if (!isTrusted(uid)) return `${path} belongs to user ${uid}`;
  if ((mode & (GROUP_WRITES | OTHERS_WRITE)) !== 0) return `${path} is writable by others`;
  if ((mode & 0o111) === 0) return `${path} is not executable`;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const fault = await folderFault(folder);
    if (fault !== null) return fault;
    if (folder === "/") return null;
  }
};

/**
 * In a folder with the sticky bit, such as /tmp, only owners can replace entries. Groups of this process may write, because
 * their members share the installation.
 */
const folderFault = async (folder: string): Promise<string | null> => {
  const { mode, uid, gid } = await stat(folder);
  if (!isTrusted(uid)) return `its folder ${folder} belongs to user ${uid}`;
  if ((mode & STICKY) !== 0) return null;
  if ((mode & OTHERS_WRITE) !== 0) return `its folder ${folder} is writable by others`;
  const ours = [0, process.getegid?.(), ...(process.getgroups?.() ?? [])];
  if ((mode & GROUP_WRITES) !== 0 && !ours.includes(gid))
    return `its folder ${folder} is writable by group ${gid}`;
  return null;
};

const isTrusted = (uid: number): boolean => uid === 0 || uid === process.geteuid?.();
