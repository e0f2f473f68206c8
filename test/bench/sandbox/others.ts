/** Other sandboxes, as commands that start a program: of this machine, and of `npm run bench -- peers`. */

import { execFile } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onPeersPath, peersPath, PROGRAMS } from "../peers/peers.ts";

export const NOTHING = ["/bin/bash", "--noprofile", "--norc", "-c", "true"];
/** They need programs of their own. */
export const THEIRS = { PATH: peersPath(), HOME: homedir(), SHELL: "/bin/bash" } as const;

export interface Other {
  readonly name: string;
  /** How much of what it adds to a start ours may add, by tier: `own` where there are namespaces or a uid. */
  readonly share: { readonly own: number; readonly bare: number };
  /** What one types to have it. */
  readonly remedy: string;
  /** Null where it is not installed. */
  readonly command: readonly string[] | null;
  /** Starts for each of ours: some take long. */
  readonly each: number;
}

const WRAP = ["--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];

export const otherSandboxes = (): readonly Other[] => {
  const codex = onPeersPath("codex");
  const binary = codex === null ? null : binaryOf(codex);
  const srt = onPeersPath("srt");
  const bwrap = onPeersPath("bwrap");
  const firejail = onPeersPath("firejail");
  return [
    {
      name: "bubblewrap",
      remedy: PROGRAMS.bwrap,
      share: { own: 1 / 2, bare: 1 / 3 },
      command: bwrap === null ? null : [bwrap, ...WRAP],
      each: 1,
    },
    {
      name: "firejail",
      remedy: PROGRAMS.firejail,
      share: all(1 / 5),
      command: firejail === null ? null : [firejail, "--quiet", "--noprofile", "--net=none", "--private-tmp"],
      each: 0.3,
    },
    {
      name: "codex, its binary",
      remedy: PEERS,
      share: all(1 / 20),
      command: binary === null ? null : [binary, "sandbox", "--"],
      each: 0.1,
    },
    {
      name: "codex, from npm",
      remedy: PEERS,
      share: all(1 / 100),
      command: codex === null ? null : [codex, "sandbox", "--"],
      each: 0.05,
    },
    { name: "srt", remedy: PEERS, share: all(1 / 100), command: srt === null ? null : [srt], each: 0.03 },
  ];
};

const PEERS = "npm run bench -- peers";

const all = (share: number): Other["share"] => ({ own: share, bare: share });

/** Why it cannot be measured, or null. */
export const whyNot = async ({
  command,
  remedy,
}: Pick<Other, "command" | "remedy">): Promise<string | null> => {
  const [program, ...args] = command ?? [];
  if (program === undefined) return `it is not installed: ${remedy}`;
  try {
    await promisify(execFile)(program, [...args, ...NOTHING], { env: THEIRS });
    return null;
  } catch (error) {
    return `it does not start: ${error instanceof Error ? (error.message.split("\n")[1] ?? error.message) : String(error)}`;
  }
};

/** The npm package is a script that starts a binary in a package beside it. */
const binaryOf = (script: string): string | null => {
  const scope = join(dirname(realpathSync(script)), "..", "..");
  const found = readdirSync(scope)
    .map((name) => join(scope, name, "vendor"))
    .filter((path) => existsSync(path))
    .flatMap((vendor) => readdirSync(vendor).map((platform) => join(vendor, platform, "bin", "codex")));
  return found.find((path) => existsSync(path)) ?? null;
};
