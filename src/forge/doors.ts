/** Doors to the repositories that the operator's credentials open (src/ports/forge.ts). */

import type { Door, Doors } from "../ports/forge.ts";
import { remoteOf } from "./access.ts";
import { accessWith, type Choice, choose } from "./choose.ts";
import { type Address, addressOf, projectName } from "./address.ts";
import { openHttpDoor, type PassOn, passOverHttps } from "./door-http.ts";
import { passOverSsh } from "./ssh-remote.ts";
import { createForgeHttp } from "./http.ts";

/** Projects whose short-lived tokens are kept until they end. */
const MAX_KEPT = 200;

export const createDoors = (choice: Choice): Doors => {
  const { userAgent, wire = createForgeHttp() } = choice;
  const kept = new Map<string, PassOn>();

  const wayTo = (address: Address): PassOn | null => {
    const known = kept.get(projectName(address));
    if (known !== undefined) return known;
    const { api: credential, key } = choose(choice, address);
    const made =
      key !== null
        ? passOverSsh(address, key)
        : credential === null
          ? null
          : passOverHttps(address, remoteOf(accessWith({ userAgent, wire }, credential, address)));
    if (made === null) return null;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(projectName(address), made);
    return made;
  };

  return {
    open: async (repo): Promise<Door | null> => {
      const address = addressOf(repo);
      const passOn = address === null ? null : wayTo(address);
      return passOn === null ? null : openHttpDoor(passOn);
    },
  };
};
