/** BASH-007: `rm` with the recursive and the force option on a critical path. */
import type { SimpleCommand } from "../shell/command.ts";
import { isCritical, isCriticalPlace } from "./critical.ts";
import { abbreviates, hasFlag, readOptions } from "../shell/options.ts";
import { type Path, readPath, resolvePath } from "../shell/path.ts";

const RM = { short: "", long: [], permute: true };

/** Whether a command deletes critical data. `cwd`: where an earlier `cd` went, if the script says. */
export const deletesCritical = (command: SimpleCommand, cwd: Path | null): boolean => {
  if (command.program !== "rm") return false;
  const { options, operands } = readOptions(command.args, RM);
  const recursive = hasFlag(options, "rR") || options.some((option) => abbreviates(option, "recursive", 1));
  const force = hasFlag(options, "f") || options.some((option) => abbreviates(option, "force", 1));
  if (!recursive || !force) return false;
  return operands.some((word) => {
    const path = readPath(word);
    if (path === null) return false;
    return (
      isCritical(path) || (cwd !== null && path.root === "cwd" && isCriticalPlace(resolvePath(cwd, path)))
    );
  });
};
