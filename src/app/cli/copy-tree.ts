import { execFile } from "node:child_process";

export type CopyResult = { readonly kind: "copied" } | { readonly kind: "failed"; readonly message: string };

/** Like `cp -a`. Skips files that disappear during the copy, such as temporary files of a running command. */
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
