/** How people and models are told that the sandbox ended a command, or a process of it. */
import type { ExceededLimit } from "../../../sandbox/types.ts";

const TAKEN = {
  memory: "memory",
  processes: "processes",
  disk: "disk",
  files: "open files",
} as const satisfies Record<ExceededLimit, string>;

export const overrunText = (overran: ExceededLimit): string =>
  `it took more ${TAKEN[overran]} than a command may`;
