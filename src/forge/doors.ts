/** Doors to the repositories that the operator's credentials open (ports-doors.ts). */

import type { Door, Doors } from "../runtime/ports-doors.ts";
import { type Address, addressOf, projectName } from "./address.ts";
import { apiOf, type Choice, choose, rootOf } from "./choose.ts";
import { openHttpDoor } from "./door-http.ts";
import type { RemoteAccess } from "./remote.ts";
import { githubRemote, gitlabRemote } from "./remote-access.ts";
import { createWire } from "./wire.ts";

/** Projects whose short-lived tokens are kept until they end. */
const MAX_KEPT = 200;

export const createDoors = (choice: Choice): Doors => {
  const { userAgent, wire = createWire() } = choice;
  const kept = new Map<string, RemoteAccess>();

  const accessTo = (address: Address): RemoteAccess | null => {
    const key = projectName(address);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const credential = choose(choice, address);
    if (credential === null) return null;
    const { access } = credential;
    const api = apiOf(credential, address);
    const root = rootOf(credential, address);
    const made =
      access.kind === "gitlabToken"
        ? gitlabRemote({ address, api, access, userAgent, wire }, root)
        : githubRemote({ address, api, access, userAgent, wire }, root);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, made);
    return made;
  };

  return {
    open: async (repo): Promise<Door | null> => {
      const address = addressOf(repo);
      const access = address === null ? null : accessTo(address);
      return address === null || access === null ? null : openHttpDoor(address, access);
    },
  };
};
