/** Checks name and address first. Rejects if the address is not allowed, and if the network fails. */
export type AskOutward = (url: URL, init: { readonly signal: AbortSignal }) => Promise<Response>;

export interface Proxies {
  readonly httpsProxy?: string;
  readonly httpProxy?: string;
  readonly noProxy: string;
}
