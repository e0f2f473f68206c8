/**
 * `npm run bench -- peers`: what Parley is measured beside, in a folder of its own under the user's cache (or
 * PARLEY_PEERS), by npm, with exact versions and without their scripts. What a distribution packages is only looked for.
 */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { rgPath } from "@vscode/ripgrep";

const PACKAGES: Readonly<Record<string, string>> = {
  "@anthropic-ai/sandbox-runtime": "0.0.83",
  "@anthropic-ai/sdk": "1.12.0",
  "@chat-adapter/discord": "4.41.0",
  "@chat-adapter/slack": "4.41.1",
  "@chat-adapter/state-memory": "4.41.0",
  "@openai/codex": "0.169.0",
  "@slack/bolt": "5.1.0",
  chat: "4.41.1",
  "discord.js": "14.28.1",
};
/** Of the system, with what one types to have them on Debian. */
export const PROGRAMS = {
  bwrap: "apt-get install bubblewrap",
  firejail: "apt-get install firejail",
  socat: "apt-get install socat (srt needs it)",
} as const;
const BOTS = join(import.meta.dirname, "bots");

const folder = (): string =>
  process.env["PARLEY_PEERS"] ??
  join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "parley", "peers");

/** Where programs of the packages and of the system are looked for; srt needs ripgrep. */
export const peersPath = (): string =>
  [join(folder(), "node_modules/.bin"), process.env["PATH"] ?? "", dirname(rgPath)].join(":");

export const onPeersPath = (name: string): string | null =>
  peersPath()
    .split(":")
    .map((directory) => join(directory, name))
    .find((path) => existsSync(path)) ?? null;

/** A bot as a file beside its packages, or why there is none. */
export type PeerBot =
  | { readonly kind: "there"; readonly path: string }
  | { readonly kind: "missing"; readonly why: string };

export const peerBot = async (name: string, needs: string): Promise<PeerBot> => {
  if (!existsSync(join(folder(), "node_modules", needs)))
    return { kind: "missing", why: `${needs} is not installed: npm run bench -- peers` };
  for (const file of await readdir(BOTS)) await copyFile(join(BOTS, file), join(folder(), file));
  return { kind: "there", path: join(folder(), `${name}.mjs`) };
};

/** Says what there is in the end; answers whether it is everything. */
export const installPeers = async (say: (line: string) => void): Promise<boolean> => {
  await mkdir(folder(), { recursive: true });
  const manifest = { private: true, type: "module", dependencies: PACKAGES };
  await writeFile(join(folder(), "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const failure = await promisify(execFile)(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"],
    { cwd: folder() },
  ).then(
    () => null,
    (error: unknown) => String(error),
  );
  if (failure !== null) say(failure.trim());
  const packages = Object.entries(PACKAGES).map(([name, version]) =>
    existsSync(join(folder(), "node_modules", name))
      ? `${name} ${version}`
      : `${name} ${version} could not be had`,
  );
  const programs = Object.entries(PROGRAMS).map(
    ([name, remedy]) => onPeersPath(name) ?? `${name} could not be had here: ${remedy}`,
  );
  for (const line of [`in ${folder()}:`, ...packages, ...programs]) say(line);
  return ![...packages, ...programs].some((line) => line.includes("could not be had"));
};
