/** The OpenAI-compatible gateway. Without a token, the gateway is off and not loaded. */

import { z } from "zod";
import { defineFeature } from "../../feature.ts";
import { secret } from "../../settings/secrets.ts";

export const gateway = defineFeature({
  name: "gateway",
  settings: z.object({
    PARLEY_GATEWAY_TOKEN: secret.min(16, "must have at least 16 characters").optional(),
  }),
  rules: [
    z
      .object({ PARLEY_GATEWAY_TOKEN: z.string().optional(), PARLEY_CONSOLE_TOKEN: z.string().optional() })
      .superRefine(({ PARLEY_GATEWAY_TOKEN: own, PARLEY_CONSOLE_TOKEN: console }, context) => {
        if (own === undefined || own !== console) return;
        const message = "must differ from PARLEY_CONSOLE_TOKEN, because only the console token may approve";
        context.addIssue({ code: "custom", path: ["PARLEY_GATEWAY_TOKEN"], message });
      }),
  ],
  open: async ({ PARLEY_GATEWAY_TOKEN: token }, core) => {
    if (token === undefined) return { surface: { off: "PARLEY_GATEWAY_TOKEN is not set" } };
    return {
      surface: { off: null },
      beside: async (bot) => {
        const { createGateway } = await import("./app.ts");
        return createGateway({
          ...core,
          bot,
          sessions: core.ledger,
          token,
          approverToken: core.operatorToken,
          client: { id: "gateway:client", mayDrive: true, mayApprove: false },
          approver: core.operator,
          models: [...new Set([...ALIASES, core.model])],
          startedAt: core.clock.now(),
          bodyBytes: BODY_BYTES,
        });
      },
    };
  },
});

/** Model names that clients of the source systems use (D32). */
const ALIASES = ["parley", "slavik"] as const;
/** Bytes: a picture of 20 MB in base64, plus the history that a client sends with it. */
const BODY_BYTES = 48 * 1_048_576;
