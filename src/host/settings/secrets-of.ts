/** Every secret of the configuration, which must show up nowhere. */

import { PROVIDERS, SECRET_VARIABLES } from "../../model/providers/providers.ts";
import type { Config } from "./config.ts";

/** `token`: the console's. */
export const secretsOf = (config: Config, token: string): readonly string[] =>
  [
    token,
    config.PARLEY_GATEWAY_TOKEN,
    config.PARLEY_HOOK_SECRET,
    ...SECRET_VARIABLES.map((name) => config[name]),
    config.SLACK_BOT_TOKEN,
    config.SLACK_APP_TOKEN,
    config.SLACK_SIGNING_SECRET,
    config.DISCORD_TOKEN,
    ...[...Object.values(config.OTEL_EXPORTER_OTLP_HEADERS), ...queriesOf(config)].filter(
      (value) => value.length >= LEAST,
    ),
  ].filter((secret) => secret !== undefined);

/** Keys that a collector or a proxy wants in its address, as written and as read. */
const queriesOf = (config: Config): readonly string[] =>
  [
    ...Object.values(PROVIDERS).map(({ address }) => (address === null ? undefined : config[address])),
    config.SLACK_API_URL,
    config.DISCORD_API_URL,
    config.OTEL_EXPORTER_OTLP_ENDPOINT,
    config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
  ].flatMap((address) => {
    const url = URL.parse(address ?? "");
    if (url === null) return [];
    const written = url.search.split(/[?&]/).map((pair) => pair.slice(pair.indexOf("=") + 1));
    return [...url.searchParams.values(), ...written];
  });

/** Characters of a header or a part of an address that counts as a secret: masking a shorter one would garble everything. */
const LEAST = 8;
