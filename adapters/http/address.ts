/** Where this machine reaches a server that listens on `host` (PARLEY_HOST), as it stands in a URL. */

/** All addresses are no address: a request has to name one. */
export const isAny = (host: string): boolean => host === "0.0.0.0" || host === "::";

export const reachedAt = (host: string): string => (isAny(host) ? "127.0.0.1" : urlHost(host));

export const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);
