/** How people and models are told that the sandbox ended a command, or a process of it. */
import type { Overrun } from "../../../sandbox/types.ts";

const TAKEN = {
  memory: "memory",
  processes: "processes",
  disk: "disk",
  files: "open files",
} as const satisfies Record<Overrun, string>;

export const overrunText = (overran: Overrun): string => `it took more ${TAKEN[overran]} than a command may`;
