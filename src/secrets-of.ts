/** Every secret of the configuration, which must show up nowhere. */

import type { Config } from "./config.ts";

/** `token`: the console's. */
export const secretsOf = (config: Config, token: string): readonly string[] =>
  [
    token,
    config.PARLEY_GATEWAY_TOKEN,
    config.ANTHROPIC_API_KEY,
    config.SLACK_BOT_TOKEN,
    config.SLACK_APP_TOKEN,
    config.SLACK_SIGNING_SECRET,
    config.DISCORD_TOKEN,
    ...Object.values(config.OTEL_EXPORTER_OTLP_HEADERS).filter((value) => value.length >= LEAST),
  ].filter((secret) => secret !== undefined);

/** Characters of a header that counts as a secret: masking a shorter one would garble everything. */
const LEAST = 8;
