/** The command of a `bash` call, from its input; empty for every other input. */

import type { Done } from "./turn.ts";

export const commandOf = ({ input }: Done): string =>
  typeof input === "object" && input !== null && "command" in input && typeof input.command === "string"
    ? input.command
    : "";
