/** Git in the sandbox trusts the authorities of Parley's process if the operator added private authorities. */

import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { getCACertificates } from "node:tls";

/** Null if `extra` (NODE_EXTRA_CA_CERTS) is empty, because the usual authorities suffice. Throws file system errors. */
export const certificatesFor = (data: string, extra: string | undefined): string | null => {
  if (extra === undefined || extra === "") return null;
  const path = join(resolve(data), "certificates.pem");
  writeFileSync(path, `${getCACertificates("default").join("\n")}\n`);
  // Git runs as another user and must read the file. Certificate authorities are no secret.
  chmodSync(path, 0o644);
  return path;
};
