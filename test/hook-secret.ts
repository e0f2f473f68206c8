/** The secret of a webhook, as `parley hook NAME` prints it to whoever runs the host. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** `master`: PARLEY_HOOK_SECRET. */
export const hookSecret = (master: string, name: string): string => {
  const env = { PATH: process.env["PATH"], PARLEY_HOOK_SECRET: master };
  const printed = execFileSync(process.execPath, [join(root, "bin/parley.js"), "hook", name], { env });
  const secret = /^secret +(\S+)$/m.exec(printed.toString())?.[1];
  if (secret === undefined) throw new Error(`no secret in ${printed.toString()}`);
  return secret;
};
