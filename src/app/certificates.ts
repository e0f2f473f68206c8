/**
 * The certificate authorities that git trusts in the sandbox, if the operator added private ones to Parley's
 * process.
 */

import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { getCACertificates } from "node:tls";

/**
 * Writes all authorities that this process trusts to a PEM file below the data directory, and returns its
 * path.
 * `extra`: value of NODE_EXTRA_CA_CERTS. Returns null if it is empty, because the usual authorities suffice
 * then. Throws errors of the file system.
 */
export const certificatesFor = (data: string, extra: string | undefined): string | null => {
  if (extra === undefined || extra === "") return null;
  const path = join(resolve(data), "certificates.pem");
  writeFileSync(path, `${getCACertificates("default").join("\n")}\n`);
  // Git runs as another user and must read the file. Certificate authorities are no secret.
  chmodSync(path, 0o644);
  return path;
};
