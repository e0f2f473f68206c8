/** Whether an app-level token opens Socket Mode: asks for a socket's address and does not use it. */

import { webApi } from "@slack/bolt";
import { slackLogger } from "./logger.ts";
import { refusalOf, type TokenTrouble } from "./token-trouble.ts";

const PATIENCE = 15_000;

/** Null where it does. */
export const tryAppToken = async (
  token: string,
  apiUrl: string | undefined,
): Promise<TokenTrouble | null> => {
  const client = new webApi.WebClient(token, {
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: PATIENCE,
    logger: slackLogger(null),
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
  });
  try {
    await client.apps.connections.open();
    return null;
  } catch (error) {
    return refusalOf(error);
  }
};
