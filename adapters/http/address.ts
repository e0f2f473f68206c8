/**
 * Address at which this machine reaches a server that listens on `host` (PARLEY_HOST), in the form for URLs.
 */

/** Whether the host means all addresses, which a request cannot name. */
export const isAny = (host: string): boolean => host === "0.0.0.0" || host === "::";

export const reachedAt = (host: string): string => (isAny(host) ? "127.0.0.1" : urlHost(host));

export const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);
