/** `npm run sandbox:build [-- linux-x64|linux-arm64]`: rebuilds the prebuilt launchers and records their hashes. */

import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { compileLauncher } from "./compile.ts";
import { hashFile, PREBUILT } from "./locate.ts";

const COMPILERS = { "linux-x64": "musl-gcc", "linux-arm64": "aarch64-linux-gnu-gcc" } as const;

const RECORD = join(PREBUILT, "sha256.json");

const [only] = process.argv.slice(2);
const wanted = Object.entries(COMPILERS).filter(([platform]) => only === undefined || only === platform);
if (wanted.length === 0) {
  process.stderr.write(`There is no launcher for ${only}; known: ${Object.keys(COMPILERS).join(", ")}\n`);
  process.exit(1);
}
const hashes = z.record(z.string(), z.string()).parse(JSON.parse(await readFile(RECORD, "utf8")));
for (const [platform, compiler] of wanted) {
  const output = join(PREBUILT, platform, "parley-launcher");
  await mkdir(join(PREBUILT, platform), { recursive: true });
  await compileLauncher(compiler, output);
  await chmod(output, 0o755);
  hashes[platform] = await hashFile(output);
  process.stdout.write(`${platform} ${hashes[platform]}\n`);
}
await writeFile(RECORD, `${JSON.stringify(hashes, null, 2)}\n`);
