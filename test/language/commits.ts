/** `npm run commits`: checks the subjects of commits since the rule of CONTRIBUTING.md exists. */

import { execFileSync } from "node:child_process";
import { root } from "../app/cli/host.ts";
import { subjectFault } from "./subject.ts";

/** Last commit before the rule. */
const BEFORE = "778decd7";

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

const subjects = (): readonly string[] | null => {
  try {
    return git("log", "--no-merges", "--format=%h %s", `${BEFORE}..HEAD`)
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return null;
  }
};

const found = subjects();
if (found === null) console.log(`commits: not checked, because this clone lacks ${BEFORE}`);
else {
  const faults = found.flatMap((line) => {
    const fault = subjectFault(line.slice(line.indexOf(" ") + 1));
    return fault === null ? [] : [`${line}: ${fault}`];
  });
  console.log(`commits: ${found.length} subjects since ${BEFORE}, ${faults.length} off the form`);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
