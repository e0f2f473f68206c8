import { openTunnel } from "../../../../sandbox/egress/upstream.ts";
import { createProxyOf } from "../../process/outgoing-proxy.ts";
import type { Config } from "../../settings/config.ts";
import { findingAbout, type Finding } from "../../../ports/finding.ts";

const PROXY = findingAbout("outgoing proxy");
const TIME_LIMIT_MS = 10_000;

export async function* proxyFindings(config: Config): AsyncGenerator<Finding> {
  if (config.HTTPS_PROXY === undefined && config.HTTP_PROXY === undefined) return;
  const proxyOf = createProxyOf(config);
  for (const host of neededHosts(config)) {
    const proxy = proxyOf(host, 443);
    if (proxy === null) {
      yield PROXY.ok(
        `${host} is reached directly, because NO_PROXY lists the host or HTTPS_PROXY is not set`,
      );
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
const neededHosts = (config: Config): readonly string[] => [
  ...config.platforms.flatMap(({ apiHost, configure }) =>
    configure(config).kind === "unset" ? [] : [apiHost],
  ),
  ...(config.ANTHROPIC_API_KEY === undefined ? [] : ["api.anthropic.com"]),
  "github.com",
];
