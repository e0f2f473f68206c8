/** The launcher that runs is the one in the repository, or one built here from its source. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compileLauncher } from "../../sandbox/compile.ts";
import { hashFile, locateLauncher, PREBUILT } from "../../sandbox/locate.ts";
import { decodeReply } from "../../sandbox/protocol.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-locate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hashes: Record<string, string> = JSON.parse(readFileSync(join(PREBUILT, "sha256.json"), "utf8"));
const compilers = {
  "linux-x64": "/usr/bin/musl-gcc",
  "linux-arm64": "/usr/bin/aarch64-linux-gnu-gcc",
} as const;

/** What a server says first; it ends with its input. */
const factsOf = ([program = "", ...args]: readonly string[]): unknown => {
  const said = execFileSync(program, [...args, "serve", "60000", "on", "2048", "512", "8192"], { input: "" });
  const reply = decodeReply(said);
  return reply?.kind === "hello" ? JSON.parse(reply.facts) : reply;
};

describe("the prebuilt launchers", () => {
  for (const [platform, compiler] of Object.entries(compilers)) {
    it(`${platform}: executable, of the recorded hash`, async () => {
      const path = join(PREBUILT, platform, "parley-launcher");
      expect(await hashFile(path)).toBe(hashes[platform]);
      expect(statSync(path).mode & 0o111).toBe(0o111);
    });

    it(`${platform}: the source builds the same bytes`, async ({ skip }) => {
      if (!existsSync(compiler)) skip(`${compiler} is not installed`);
      const banner = execFileSync(compiler, ["--version"]).toString();
      if (!banner.includes("12.2.0")) skip("the recorded hash is that of gcc 12.2.0");
      await compileLauncher(compiler, join(folder, platform));
      expect(await hashFile(join(folder, platform))).toBe(hashes[platform]);
    });
  }

  it("linux-arm64 starts and probes under emulation", ({ skip }) => {
    const emulator = "/usr/bin/qemu-aarch64-static";
    if (!existsSync(emulator)) skip(`${emulator} is not installed`);
    expect(factsOf([emulator, join(PREBUILT, "linux-arm64", "parley-launcher")])).toMatchObject({
      off: false,
    });
  });
});

/** A folder of prebuilt launchers whose binary has that mode. */
const shippedWith = (mode: number, alter: (bytes: Buffer) => Buffer = (bytes) => bytes): string => {
  const shipped = mkdtempSync(join(folder, "shipped-"));
  const name = `linux-${process.arch}`;
  const bytes = readFileSync(join(PREBUILT, name, "parley-launcher"));
  mkdirSync(join(shipped, name));
  writeFileSync(join(shipped, name, "parley-launcher"), alter(bytes));
  chmodSync(join(shipped, name, "parley-launcher"), mode);
  copyFileSync(join(PREBUILT, "sha256.json"), join(shipped, "sha256.json"));
  return shipped;
};

describe("locateLauncher", () => {
  it("takes the prebuilt one and makes no folder for it", async () => {
    const bin = join(folder, "unused");
    const shipped = shippedWith(0o755);
    expect(await locateLauncher(bin, shipped)).toEqual({
      kind: "found",
      path: join(shipped, `linux-${process.arch}`, "parley-launcher"),
    });
    expect(existsSync(bin)).toBe(false);
  });

  it("one that others may write, as under umask 002, is not run: a copy of the right bytes is", async () => {
    const bin = join(folder, "copied");
    const located = await locateLauncher(bin, shippedWith(0o775));
    if (located.kind === "failed") throw new Error(located.reason);
    expect(located.path.startsWith(`${bin}/`)).toBe(true);
    expect(statSync(located.path).mode & 0o777).toBe(0o755);
    expect(await hashFile(located.path)).toBe(hashes[`linux-${process.arch}`]);
  });

  const asRoot = process.getuid?.() === 0;
  const STRANGER = 65_432;
  for (const [what, spoil] of Object.entries({
    "whose owner is somebody else": (file: string) => chownSync(file, STRANGER, 0),
    "in a folder of somebody else": (file: string) => chownSync(dirname(file), STRANGER, 0),
    "below a folder of somebody else": (file: string) => chownSync(dirname(dirname(file)), STRANGER, 0),
    "in a folder that everybody may write": (file: string) => chmodSync(dirname(file), 0o777),
    "in a folder that a strange group may write": (file: string) => {
      chownSync(dirname(file), 0, STRANGER);
      chmodSync(dirname(file), 0o775);
    },
  }))
    it(`one ${what} is not run: a copy of the right bytes is`, async ({ skip }) => {
      if (!asRoot && !what.includes("everybody")) skip("only root can give a file away");
      const bin = mkdtempSync(join(folder, "safe-"));
      const shipped = shippedWith(0o755);
      spoil(join(shipped, `linux-${process.arch}`, "parley-launcher"));
      const located = await locateLauncher(bin, shipped);
      if (located.kind === "failed") throw new Error(located.reason);
      expect(dirname(located.path)).toBe(bin);
      expect(await hashFile(located.path)).toBe(hashes[`linux-${process.arch}`]);
    });

  it("one in a folder of a group of ours, or with the sticky bit, is run where it lies", async () => {
    for (const mode of [0o775, 0o1777]) {
      const shipped = shippedWith(0o755);
      chmodSync(join(shipped, `linux-${process.arch}`), mode);
      const located = await locateLauncher(join(folder, "unneeded"), shipped);
      expect(located).toMatchObject({
        path: join(shipped, `linux-${process.arch}`, "parley-launcher"),
      });
    }
  });

  it("where the copy could be exchanged too, there is no launcher, and the reason names both", async () => {
    const bin = mkdtempSync(join(folder, "open-"));
    chmodSync(bin, 0o777);
    const located = await locateLauncher(bin, shippedWith(0o775));
    expect(located).toMatchObject({
      kind: "failed",
      reason: expect.stringMatching(
        /^.*parley-launcher is writable by others, and a launcher in .* its folder .*open-.* is writable by others$/,
      ),
    });
  });

  it("one of other bytes is neither run nor copied: the system's own compiler builds it", async () => {
    const bin = join(folder, "other");
    const forged = shippedWith(0o755, (bytes) => Buffer.concat([bytes, Buffer.from("x")]));
    const located = await locateLauncher(bin, forged);
    if (!existsSync("/usr/bin/cc")) {
      expect(located).toMatchObject({
        kind: "failed",
        reason: expect.stringContaining("the prebuilt launcher has another hash than recorded"),
      });
      return;
    }
    if (located.kind === "failed") throw new Error(located.reason);
    expect(located.path.startsWith(`${bin}/`)).toBe(true);
    expect(readFileSync(located.path).subarray(-1).toString()).not.toBe("x");
    expect(factsOf([located.path])).toHaveProperty("abi");
  });
});
