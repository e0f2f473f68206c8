/** A forge to which people connect their accounts, from an entry of PARLEY_FORGES with a `clientId`. */

import type { Credential } from "../api/credentials.ts";
import type { ForgeHttp } from "../api/http.ts";

export interface ConnectClient {
  readonly kind: "github" | "gitlab";
  /** Host of the forge's web pages, which names the forge in commands and rows. */
  readonly host: string;
  /** Roots without a slash at the end. */
  readonly web: string;
  readonly api: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly userAgent: string;
  readonly wire: ForgeHttp;
}

/** Null if nobody can connect with the entry. */
export const connectClientOf = (
  { access, connect, api, git }: Pick<Credential, "access" | "connect" | "api" | "git">,
  host: Pick<ConnectClient, "userAgent" | "wire">,
): ConnectClient | null => {
  if (connect === undefined || access.kind === "deploy-key") return null;
  const kind = access.kind === "gitlab-token" ? "gitlab" : "github";
  const web = (connect.web ?? git ?? webOf(api) ?? `https://${kind}.com`).replace(/\/+$/, "");
  const url = URL.parse(web);
  if (url === null) return null;
  return {
    kind,
    host: url.host,
    web,
    api: (api ?? apiOf(kind, web)).replace(/\/+$/, ""),
    clientId: connect.clientId,
    clientSecret: connect.clientSecret,
    ...host,
  };
};

/** `api.github.com` belongs to `github.com`; a forge of one's own has its API below its pages. */
const webOf = (api: string | null): string | null => {
  const url = URL.parse(api ?? "");
  if (url === null) return null;
  if (url.hostname.startsWith("api.")) return `${url.protocol}//${url.host.slice("api.".length)}`;
  return `${url.origin}${url.pathname.replace(/\/api\/v[34]\/*$/, "")}`;
};

const apiOf = (kind: ConnectClient["kind"], web: string): string => {
  if (kind === "gitlab") return `${web}/api/v4`;
  return web === "https://github.com" ? "https://api.github.com" : `${web}/api/v3`;
};
