/** Why something could not be written or read, for who is told. */

import type { WriteFailure } from "../../ports/host.ts";

export const failureOf = (error: unknown): WriteFailure => {
  const code = codeOf(error);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return { kind: "failed", code: "disk_full", message: "the disk of the data directory is full" };
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return { kind: "failed", code: "read_only", message: "the data directory cannot be written" };
    default:
      return { kind: "failed", code: "io", message: `a file could not be stored: ${code}` };
  }
};

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);
