/** `parley hook NAME`: the address of a hook and its secret, for whoever sends to it. */

import { hookSecret } from "../../../adapters/hooks/signature.ts";
import { complain } from "./complain.ts";
import { loadConfig } from "./load-config.ts";

const USAGE = "Usage: parley hook NAME";

export const hookCommand = (args: readonly string[]): number => {
  const [given, ...more] = args;
  const name = given?.toLowerCase();
  if (name === undefined || more.length > 0 || !/^[a-z0-9][a-z0-9-]{1,39}$/.test(name))
    return complain(USAGE);
  const config = loadConfig();
  if (config === null) return 1;
  const master = config.PARLEY_HOOK_SECRET;
  if (master === undefined)
    return complain("PARLEY_HOOK_SECRET is not set, so this host takes no webhooks (docs/watch.md).");
  console.log(`address  POST /hooks/${name}`);
  console.log(`secret   ${hookSecret(master, name)}`);
  return 0;
};
