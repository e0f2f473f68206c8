/**
 * BASH-007: the three commands that are refused before anything runs, in every mode.
 *
 * A courtesy, not a security boundary: it spares people an accident and tells the model what to do instead.
 * What a command may really touch is the kernel's decision.
 */
import type { SimpleCommand } from "../shell/command.ts";
import { addsBlindly } from "./git-add.ts";
import { pushesByForce } from "./git-push.ts";
import { deletesCritical } from "./rm.ts";
import type { ParsedScript } from "../shell/shell.ts";
import { type Directories, directoryOf, noteDirectory } from "./working-directory.ts";

export const BLIND_ADD =
  "permission denied: blind git add commands (git add -A, git add ., git add --all, git add *) are not allowed, specify files explicitly";

export const FORCE_PUSH =
  "permission denied: git push --force is not allowed. Use --force-with-lease for safer force pushes, or push without force";

export const CRITICAL_RM =
  "permission denied: this rm command could delete critical data (.git, home directory, or root). Specify the full path explicitly (no wildcards, ~, or $HOME)";

/** The text of the first refusal in a script, or null. Unparseable scripts are judged by what was read. */
export const refuse = (script: ParsedScript): string | null => {
  const directories: Directories = new Map();
  for (const command of script.commands) {
    const refusal = refuseCommand(command, directories);
    if (refusal !== null) return refusal;
    noteDirectory(command, directories);
  }
  return null;
};

const refuseCommand = (command: SimpleCommand, directories: Directories): string | null => {
  if (command.program === "git" && addsBlindly(command.args)) return BLIND_ADD;
  if (command.program === "git" && pushesByForce(command.args)) return FORCE_PUSH;
  return deletesCritical(command, directoryOf(command.scope, directories)) ? CRITICAL_RM : null;
};
