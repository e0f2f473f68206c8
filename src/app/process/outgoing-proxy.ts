/** The proxy applies to every request of this process: fetch, node:http, undici, and the sockets of Slack and Discord. */

import { setGlobalProxyFromEnv } from "node:http";
import { registerHooks } from "node:module";
import type { ProxyOf } from "../../../sandbox/egress/upstream.ts";
import type { Proxies } from "../../ports/outward.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export interface ProxySettings {
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
  readonly NO_PROXY: readonly string[];
}

/** The console, the gateway and a model on this machine are never reached through a proxy. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** For a client with separate connections; null if no proxy is set. */
export const proxiesOf = ({
  HTTPS_PROXY: httpsProxy,
  HTTP_PROXY: httpProxy,
  NO_PROXY,
}: Partial<ProxySettings>): Proxies | null =>
  httpsProxy === undefined && httpProxy === undefined
    ? null
    : { ...omitUndefined({ httpsProxy, httpProxy }), noProxy: [...LOOPBACK, ...(NO_PROXY ?? [])].join(",") };

export const useOutgoingProxy = (settings: ProxySettings): void => {
  const { HTTPS_PROXY, HTTP_PROXY } = settings;
  if (HTTPS_PROXY === undefined && HTTP_PROXY === undefined) return;
  setGlobalProxyFromEnv({
    ...(HTTPS_PROXY === undefined ? {} : { https_proxy: HTTPS_PROXY }),
    ...(HTTP_PROXY === undefined ? {} : { http_proxy: HTTP_PROXY }),
    no_proxy: [...LOOPBACK, ...settings.NO_PROXY].join(","),
  });
  registerHooks({
    resolve: (name, context, next) =>
      name === "ws" && context.parentURL?.includes("/@discordjs/ws/") === true
        ? { url: NATIVE_SOCKETS, shortCircuit: true }
        : next(name, context),
  });
};

/** `ws` opens connections that bypass every agent. Node's own WebSocket uses the proxy of the process. */
const NATIVE_SOCKETS = "data:text/javascript,export const WebSocket = globalThis.WebSocket";

/** Null if the connection is direct. */
export const createProxyOf = (settings: ProxySettings): ProxyOf => {
  const exceptions = [...LOOPBACK, ...settings.NO_PROXY].map((entry) => entry.toLowerCase());
  return (host, port) => {
    const address = port === 80 ? settings.HTTP_PROXY : (settings.HTTPS_PROXY ?? settings.HTTP_PROXY);
    if (address === undefined || exceptions.some((entry) => isExcepted(entry, host, port))) return null;
    return new URL(address);
  };
};

/** `entry`: `*`, a host, `.suffix` or `*.suffix`, each with an optional `:port`, as in Node's NO_PROXY. */
const isExcepted = (entry: string, host: string, port: number): boolean => {
  if (entry === "*") return true;
  const [, name = entry, digits] = /^(.*?)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const bare = name.replace(/^\[(.*)\]$/, "$1");
  if (digits !== undefined && !isAddress(entry) && Number(digits) !== port) return false;
  const wanted = isAddress(entry) ? entry : bare;
  const suffix = wanted.replace(/^\*(?=\.)/, "");
  return suffix.startsWith(".") ? host.endsWith(suffix) : host === wanted;
};

/** Whether the entry is an IPv6 address without brackets, whose last group is no port. */
const isAddress = (entry: string): boolean => !entry.startsWith("[") && entry.split(":").length > 2;
