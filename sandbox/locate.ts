/** Finds a launcher that may be trusted: the prebuilt one when its hash is right, else one built here. */

import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { compileLauncher, LAUNCHER_SOURCE } from "./compile.ts";

export const PREBUILT = join(import.meta.dirname, "prebuilt");

const Hashes = z.record(z.string(), z.string());

export type Located =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "failed"; readonly reason: string };

/** `binDir` (PARLEY_DATA/bin) takes a launcher that has to be built; it is made when it is needed. Never rejects. */
export const locateLauncher = async (binDir: string): Promise<Located> => {
  if (process.platform !== "linux")
    return { kind: "failed", reason: `the sandbox needs Linux, this is ${process.platform}` };
  const fault = await prebuiltFault();
  if (fault === null) return { kind: "found", path: prebuiltPath() };
  try {
    return { kind: "found", path: await build(binDir) };
  } catch (error) {
    return { kind: "failed", reason: `${fault}, and it cannot be built here: ${messageOf(error)}` };
  }
};

export const hashFile = async (path: string): Promise<string> =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

const prebuiltPath = (): string => join(PREBUILT, platformName(), "parley-launcher");

const platformName = (): string => `linux-${process.arch}`;

/** Why the prebuilt launcher is not to be run; null when it is. */
const prebuiltFault = async (): Promise<string | null> => {
  try {
    const hashes = Hashes.parse(JSON.parse(await readFile(join(PREBUILT, "sha256.json"), "utf8")));
    const expected = hashes[platformName()];
    if (expected === undefined) return `there is no prebuilt launcher for ${platformName()}`;
    if ((await hashFile(prebuiltPath())) !== expected)
      return "the prebuilt launcher has another hash than recorded";
    return await modeFault(prebuiltPath());
  } catch (error) {
    return `the prebuilt launcher cannot be read: ${messageOf(error)}`;
  }
};

/** A binary that others may write is nobody's to trust. */
const modeFault = async (path: string): Promise<string | null> => {
  const { mode } = await stat(path);
  if ((mode & 0o022) !== 0) return `${path} is writable by others`;
  return (mode & 0o111) === 0 ? `${path} is not executable` : null;
};

/** Named after the hash of the source, so that an update is built anew and an old build is found again. */
const build = async (binDir: string): Promise<string> => {
  const hash = createHash("sha256");
  for (const name of (await readdir(LAUNCHER_SOURCE)).toSorted())
    hash.update(await readFile(join(LAUNCHER_SOURCE, name)));
  const path = join(binDir, `parley-launcher-${hash.digest("hex").slice(0, 16)}`);
  await mkdir(binDir, { recursive: true, mode: 0o755 });
  const built = await modeFault(path).catch(() => "missing");
  if (built === null) return path;
  const temporary = `${path}.${process.pid}`;
  await compileLauncher("cc", temporary);
  await chmod(temporary, 0o755);
  await rename(temporary, path);
  return path;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
