/** BASH-007: `git push` that overwrites the remote's history without a lease. */
import { readGit } from "./git-run.ts";
import { abbreviates, type Option, readOptions } from "../shell/options.ts";
import { leadingText, type Word } from "../shell/word.ts";

const PUSH = {
  short: "o",
  long: ["repo", "receive-pack", "exec", "push-option", "recurse-submodules"],
  permute: true,
};

/**
 * Whether git arguments push by force: `--force` or `-f` in any cluster, a refspec that begins with `+`,
 * or `--mirror`. `--force-with-lease` and `--force-if-includes` alone do not; a later `--no-force` undoes it.
 */
export const pushesByForce = (args: readonly Word[]): boolean => {
  const call = readGit(args);
  if (call === null || call.subcommand !== "push") return false;
  const { options, operands } = readOptions(call.args, PUSH);
  const last = options.findLast((option) => isForce(option) || isNoForce(option));
  if (last !== undefined && isForce(last)) return true;
  if (options.some((option) => abbreviates(option, "mirror", 1))) return true;
  return operands.some((word) => leadingText(word).startsWith("+"));
};

const isForce = ({ name, long }: Option): boolean => (long ? name === "force" : name === "f");

const isNoForce = ({ name, long }: Option): boolean => long && name === "no-force";
