import type { ExceededLimit } from "../../../sandbox/types.ts";

const TAKEN = {
  memory: "memory",
  processes: "processes",
  disk: "disk",
  files: "open files",
} as const satisfies Record<ExceededLimit, string>;

export const overrunText = (overran: ExceededLimit): string =>
  `it took more ${TAKEN[overran]} than a command may`;
