/** Doctor findings about people's connections: whether they are configured, and whether tokens can be stored. */

import { findingAbout, type Finding } from "../../../ports/finding.ts";
import type { FoundSealKey } from "../../../ports/sealing.ts";
import type { ConnectClient } from "./client.ts";

const CONNECT = findingAbout("connect");

/** Yields nothing without credentials, because nothing can be written then. */
export function* connectFindings(clients: readonly ConnectClient[], key: FoundSealKey): Generator<Finding> {
  if (clients.length === 0) {
    yield CONNECT.ok(
      "not configured (clientId in the file of PARLEY_FORGES); writes appear in Parley's name",
    );
    return;
  }
  const hosts = clients.map(({ host }) => host).join(", ");
  if (key.kind === "unusable") {
    yield CONNECT.error(
      `people cannot connect to ${hosts}: ${key.why}`,
      "Restore the key; without it, people have to connect again.",
    );
    return;
  }
  const where = {
    absent: "a key is created in PARLEY_DATA/seal-key when the first person connects",
    file: "tokens are sealed with PARLEY_DATA/seal-key",
    setting: "tokens are sealed with PARLEY_SEAL_KEY",
  }[key.kind === "absent" ? "absent" : key.from];
  yield CONNECT.ok(`people can connect to ${hosts}; ${where}`);
}
