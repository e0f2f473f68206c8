/** Where the `cd`s of a script have led, per shell process. */
import type { Scope, SimpleCommand } from "./command.ts";
import { readOptions } from "./options.ts";
import { type Path, readPath, resolvePath } from "./path.ts";

/** The directories that scopes have changed to; null: a place that the text does not tell. */
export type Directories = Map<Scope, Path | null>;

/** The directory a command runs in, or null where no `cd` said (the conversation's own). */
export const directoryOf = (scope: Scope, directories: Directories): Path | null => {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const path = directories.get(at);
    if (path !== undefined) return path;
  }
  return null;
};

/** Takes note of a `cd` or `pushd`. */
export const noteDirectory = (command: SimpleCommand, directories: Directories): void => {
  if (command.program !== "cd" && command.program !== "pushd") return;
  const [word] = readOptions(command.args).operands;
  const path = word === undefined ? HOME : readPath(word);
  const before = directoryOf(command.scope, directories);
  const untold = path === null || path.root === "unknown" || path.components.some(({ unknown }) => unknown);
  directories.set(command.scope, untold ? null : before === null ? path : resolvePath(before, path));
};

/** A bare `cd` goes home. */
const HOME: Path = { root: "home", ups: 0, components: [] };
