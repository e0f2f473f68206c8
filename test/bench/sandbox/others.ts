/** Other sandboxes that this machine has, as commands that start a program: found on the PATH, never installed. */

import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Other {
  readonly name: string;
  /** How much of what it adds to a start ours may add, by tier: `own` where there are namespaces or a uid. */
  readonly share: { readonly own: number; readonly bare: number };
  /** Null where it is not installed. */
  readonly command: readonly string[] | null;
  /** Starts for each of ours: some take long. */
  readonly each: number;
}

const WRAP = ["--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];

export const otherSandboxes = (): readonly Other[] => {
  const codex = onPath("codex");
  const binary = codex === null ? null : binaryOf(codex);
  const srt = onPath("srt");
  const bwrap = onPath("bwrap");
  return [
    {
      name: "bubblewrap",
      share: { own: 1 / 2, bare: 1 / 3 },
      command: bwrap === null ? null : [bwrap, ...WRAP],
      each: 1,
    },
    {
      name: "codex, its binary",
      share: all(1 / 20),
      command: binary === null ? null : [binary, "sandbox", "--"],
      each: 0.1,
    },
    {
      name: "codex, from npm",
      share: all(1 / 100),
      command: codex === null ? null : [codex, "sandbox", "--"],
      each: 0.05,
    },
    { name: "srt", share: all(1 / 100), command: srt === null ? null : [srt], each: 0.03 },
  ];
};

const all = (share: number): Other["share"] => ({ own: share, bare: share });

const onPath = (name: string): string | null =>
  (process.env["PATH"] ?? "")
    .split(":")
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path)) ?? null;

/** The npm package is a script that starts a binary in a package beside it. */
const binaryOf = (script: string): string | null => {
  const scope = join(dirname(realpathSync(script)), "..", "..");
  const found = readdirSync(scope)
    .map((name) => join(scope, name, "vendor"))
    .filter((path) => existsSync(path))
    .flatMap((vendor) => readdirSync(vendor).map((platform) => join(vendor, platform, "bin", "codex")));
  return found.find((path) => existsSync(path)) ?? null;
};
