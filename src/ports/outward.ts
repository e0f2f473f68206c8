/** Requests of the host itself to addresses from untrusted sources. */

/** Sends a request after checking name and address. Rejects if the address is not allowed, and if the network fails. */
export type AskOutward = (url: URL, init: { readonly signal: AbortSignal }) => Promise<Response>;

/** Proxies and directly reached hosts, as in HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
export interface Proxies {
  readonly httpsProxy?: string;
  readonly httpProxy?: string;
  readonly noProxy: string;
}
