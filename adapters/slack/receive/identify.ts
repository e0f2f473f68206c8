/** Asks Slack for the bot's identity, which also shows whether the token works. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { SlackIdentity } from "../read/identity.ts";
import { tokenRefusalOf, type TokenTrouble } from "../api/token-trouble.ts";

export type IdentifyResult =
  | { readonly kind: "identity"; readonly self: SlackIdentity; readonly scopes: readonly string[] }
  | TokenTrouble;

export const identify = async (client: webApi.WebClient): Promise<IdentifyResult> => {
  try {
    const { user_id, bot_id, team_id, enterprise_id, user, response_metadata } = answer.parse(
      await client.auth.test(),
    );
    return {
      kind: "identity",
      self: { team: team_id, enterprise: enterprise_id, user: user_id, bot: bot_id, name: user },
      scopes: response_metadata?.scopes ?? [],
    };
  } catch (error) {
    return tokenRefusalOf(error);
  }
};

const answer = z.object({
  team_id: z.string(),
  enterprise_id: z
    .string()
    .min(1)
    .nullish()
    .catch(null)
    .transform((id) => id ?? null),
  user_id: z.string(),
  bot_id: z.string(),
  user: z.string().default("parley"),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
});
