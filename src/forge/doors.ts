/** Doors to the repositories that the operator's credentials open (src/ports/forge.ts). */

import type { Door, Doors } from "../ports/forge.ts";
import { type Address, addressOf, projectName } from "./address.ts";
import { apiOf, type Choice, choose, type Chosen, rootOf } from "./choose.ts";
import { openHttpDoor, type PassOn, passOverHttps } from "./door-http.ts";
import { githubRemote, gitlabRemote } from "./remote-access.ts";
import { passOverSsh } from "./ssh-remote.ts";
import { createWire } from "./wire.ts";

/** Projects whose short-lived tokens are kept until they end. */
const MAX_KEPT = 200;

export const createDoors = (choice: Choice): Doors => {
  const { userAgent, wire = createWire() } = choice;
  const kept = new Map<string, PassOn>();

  const wayTo = (address: Address): PassOn | null => {
    const known = kept.get(projectName(address));
    if (known !== undefined) return known;
    const { api: credential, key } = choose(choice, address);
    const made = key === null ? overHttps(address, credential) : passOverSsh(address, key);
    if (made === null) return null;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(projectName(address), made);
    return made;
  };

  const overHttps = (address: Address, credential: Chosen["api"]): PassOn | null => {
    if (credential === null) return null;
    const { access } = credential;
    const common = { address, api: apiOf(credential, address), userAgent, wire };
    const root = rootOf(credential, address);
    const remote =
      access.kind === "gitlabToken"
        ? gitlabRemote({ ...common, access }, root)
        : githubRemote({ ...common, access }, root);
    return passOverHttps(address, remote);
  };

  return {
    open: async (repo): Promise<Door | null> => {
      const address = addressOf(repo);
      const passOn = address === null ? null : wayTo(address);
      return passOn === null ? null : openHttpDoor(passOn);
    },
  };
};
