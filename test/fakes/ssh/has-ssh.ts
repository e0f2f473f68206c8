/** Whether this machine has the ssh client that deploy keys are used with. */

import { execFileSync } from "node:child_process";

export const hasSsh = ((): boolean => {
  try {
    execFileSync("ssh", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();
