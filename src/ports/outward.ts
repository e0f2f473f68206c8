/** Requests of the host itself to addresses that others name. */

/** Judged by name and address; rejects if the address may not be reached, and if the network fails. */
export type AskOutward = (url: URL, init: { readonly signal: AbortSignal }) => Promise<Response>;

/** Addresses, and the hosts that are asked directly, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY have them. */
export interface Proxies {
  readonly httpsProxy?: string;
  readonly httpProxy?: string;
  readonly noProxy: string;
}
