/** Opens doors (src/ports/forge.ts) to repositories for which the operator has credentials. */

import type { GitProxy, GitProxies } from "../../ports/forge.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import { type CredentialChoice, createChooser } from "./choose.ts";
import { type Address, addressOf, projectName } from "../../ports/address.ts";
import { openHttpDoor, type PassOn, passOverHttps } from "./door-http.ts";
import { passOverSsh } from "./ssh-remote.ts";

/** Maximum number of projects whose access, with its short-lived tokens, is cached. */
const MAX_KEPT = 200;

export const createGitProxies = (choice: CredentialChoice): GitProxies => {
  const chooser = createChooser(choice);
  const kept = createLruCache<PassOn>(MAX_KEPT);

  const wayTo = (address: Address): PassOn | null => {
    const { project, key, git, address: own } = chooser.at(address);
    if (key !== null) return passOverSsh(own, key);
    return git === null || project?.access == null ? null : passOverHttps(own, git);
  };

  return {
    open: async (repo): Promise<GitProxy | null> => {
      const address = addressOf(repo);
      if (address === null) return null;
      const name = projectName(address);
      const passOn = kept.get(name) ?? wayTo(address);
      if (passOn === null) return null;
      kept.set(name, passOn);
      return openHttpDoor(passOn);
    },
  };
};
