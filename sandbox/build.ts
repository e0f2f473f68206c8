/** `npm run sandbox:build`: rebuilds the prebuilt launchers and records their hashes. */

import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compileLauncher } from "./compile.ts";
import { hashFile, PREBUILT } from "./locate.ts";

const COMPILERS = { "linux-x64": "musl-gcc", "linux-arm64": "aarch64-linux-gnu-gcc" } as const;

const hashes: Record<string, string> = {};
for (const [platform, compiler] of Object.entries(COMPILERS)) {
  const output = join(PREBUILT, platform, "parley-launcher");
  await mkdir(join(PREBUILT, platform), { recursive: true });
  await compileLauncher(compiler, output);
  await chmod(output, 0o755);
  hashes[platform] = await hashFile(output);
  process.stdout.write(`${platform} ${hashes[platform]}\n`);
}
await writeFile(join(PREBUILT, "sha256.json"), `${JSON.stringify(hashes, null, 2)}\n`);
