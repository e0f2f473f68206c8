/** The authorities that git trusts in the sandbox, where the operator has named one of their own to Parley's process. */

import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { getCACertificates } from "node:tls";

/**
 * A PEM file below the data directory with all that this process trusts; null where that is what everybody does.
 * `extra`: of NODE_EXTRA_CA_CERTS. Throws what the file system throws.
 */
export const certificatesFor = (data: string, extra: string | undefined): string | null => {
  if (extra === undefined || extra === "") return null;
  const path = join(resolve(data), "certificates.pem");
  writeFileSync(path, `${getCACertificates("default").join("\n")}\n`);
  // Whoever git runs as reads it; authorities are no secret.
  chmodSync(path, 0o644);
  return path;
};
