/** Doctor's lines about the outgoing proxy: its address, and a tunnel to each service that this host needs. */

import { openTunnel } from "../../../sandbox/egress/upstream.ts";
import { createProxyOf } from "../../host/process/outgoing-proxy.ts";
import type { Config } from "../../host/settings/config.ts";
import { about, type Finding } from "./finding.ts";

const PROXY = about("outgoing proxy");
const TIME_LIMIT_MS = 10_000;

/** The settings that the checks read. */
export type ProxyChecks = Pick<
  Config,
  "HTTPS_PROXY" | "HTTP_PROXY" | "NO_PROXY" | "SLACK_BOT_TOKEN" | "DISCORD_TOKEN" | "ANTHROPIC_API_KEY"
>;

/** Yields nothing if no proxy is set. */
export async function* proxyFindings(config: ProxyChecks): AsyncGenerator<Finding> {
  if (config.HTTPS_PROXY === undefined && config.HTTP_PROXY === undefined) return;
  const proxyOf = createProxyOf(config);
  for (const host of neededHosts(config)) {
    const proxy = proxyOf(host, 443);
    if (proxy === null) {
      yield PROXY.ok(`${host} is reached directly, as NO_PROXY or a missing HTTPS_PROXY asks`);
      continue;
    }
    const tunnel = await openTunnel(proxy, `${host}:443`, TIME_LIMIT_MS);
    if (tunnel.kind === "open") tunnel.socket.destroy();
    yield tunnel.kind === "open"
      ? PROXY.ok(`${proxy.host} opens connections to ${host}`)
      : PROXY.error(
          `${proxy.host}: no connection to ${host}: ${tunnel.why}`,
          `Correct HTTPS_PROXY, let the proxy allow CONNECT to ${host}:443, or add ${host} to NO_PROXY.`,
        );
  }
}

/** A repository's host is needed even without a platform. */
const neededHosts = (config: ProxyChecks): readonly string[] => [
  ...(config.SLACK_BOT_TOKEN === undefined ? [] : ["slack.com"]),
  ...(config.DISCORD_TOKEN === undefined ? [] : ["discord.com"]),
  ...(config.ANTHROPIC_API_KEY === undefined ? [] : ["api.anthropic.com"]),
  "github.com",
];
