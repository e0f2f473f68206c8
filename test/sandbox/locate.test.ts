/** The launcher that runs is the one in the repository, or one built here from its source. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compileLauncher } from "../../sandbox/compile.ts";
import { hashFile, locateLauncher, PREBUILT } from "../../sandbox/locate.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-locate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hashes: Record<string, string> = JSON.parse(readFileSync(join(PREBUILT, "sha256.json"), "utf8"));
const compilers = {
  "linux-x64": "/usr/bin/musl-gcc",
  "linux-arm64": "/usr/bin/aarch64-linux-gnu-gcc",
} as const;

describe("the prebuilt launchers", () => {
  for (const [platform, compiler] of Object.entries(compilers)) {
    it(`${platform}: executable, of the recorded hash`, async () => {
      const path = join(PREBUILT, platform, "parley-launcher");
      expect(await hashFile(path)).toBe(hashes[platform]);
      expect(statSync(path).mode & 0o777).toBe(0o755);
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
    const facts = execFileSync(emulator, [
      join(PREBUILT, "linux-arm64", "parley-launcher"),
      "probe",
      "60000",
    ]).toString();
    expect(JSON.parse(facts)).toMatchObject({ off: false });
  });
});

describe("locateLauncher", () => {
  it("takes the prebuilt one and makes no folder for it", async () => {
    const bin = join(folder, "unused");
    expect(await locateLauncher(bin)).toEqual({
      kind: "found",
      path: join(PREBUILT, `linux-${process.arch}`, "parley-launcher"),
    });
    expect(existsSync(bin)).toBe(false);
  });

  it("the system's own compiler can build it where the prebuilt one does not fit", async ({ skip }) => {
    if (!existsSync("/usr/bin/cc")) skip("no C compiler");
    await compileLauncher("cc", join(folder, "lazy"));
    expect(JSON.parse(execFileSync(join(folder, "lazy"), ["probe", "60000"]).toString())).toHaveProperty(
      "abi",
    );
  });
});
