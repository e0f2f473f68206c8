/** Whether a request failed because the host's certificate does not hold, and what the operator does about it. */

/** Node's names for that. */
const CODES = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|HOSTNAME_MISMATCH/;
/** Errors that are wrapped in each other. */
const MAX_DEPTH = 5;

export const isUntrustedHost = (error: unknown): boolean => {
  let inner = error;
  for (let depth = 0; inner instanceof Error && depth < MAX_DEPTH; depth += 1) {
    if ("code" in inner && CODES.test(String(inner.code))) return true;
    inner = inner.cause;
  }
  return false;
};

/** One sentence for people. */
export const untrustedHost = (host: string): string =>
  `${host} could not prove who it is: its certificate is of no authority that Parley trusts. If it is your own authority's, the operator starts Parley with NODE_EXTRA_CA_CERTS (docs/forges.md).`;
