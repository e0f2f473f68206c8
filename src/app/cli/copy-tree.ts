/** Directories copied whole: owners, modes, times and links as they are, nothing followed. */

import { execFile } from "node:child_process";

export type CopyResult = { readonly kind: "copied" } | { readonly kind: "failed"; readonly message: string };

/**
 * `cp -a` of the entries named by `from` into the directory `to`. Files that go away meanwhile, as a running command's
 * temporary ones do, are left out.
 */
export const copyBackupTree = (from: readonly string[], to: string): Promise<CopyResult> =>
  new Promise((resolve) => {
    if (from.length === 0) {
      resolve({ kind: "copied" });
      return;
    }
    execFile(
      "cp",
      ["-a", "--reflink=auto", "--", ...from, to],
      { env: { PATH: process.env["PATH"], LC_ALL: "C" }, maxBuffer: 64 * 1024 * 1024 },
      (error, _stdout, stderr) => {
        const complaints = stderr.split("\n").filter((line) => line !== "" && !WENT_AWAY.test(line));
        if (error === null || (error.code === 1 && complaints.length === 0)) resolve({ kind: "copied" });
        else resolve({ kind: "failed", message: complaints.slice(0, 3).join("; ") || error.message });
      },
    );
  });

const WENT_AWAY = /^cp: cannot (?:stat|open|access) .*: No such file or directory$/;
