/** Where the operator is told. */

import { z } from "zod";

export const alertSettings = z.object({
  PARLEY_OPERATOR_CHANNEL: z
    .string()
    .regex(/^(slack:[CGD][A-Z0-9]+|discord:\d{15,25})$/, "must be slack: or discord: and a channel's id")
    .optional(),
});

const named = z.string().optional();

export const hasToken = z
  .object({ PARLEY_OPERATOR_CHANNEL: named, SLACK_BOT_TOKEN: named, DISCORD_TOKEN: named })
  .superRefine(({ PARLEY_OPERATOR_CHANNEL: channel, ...tokens }, context) => {
    const isSlack = channel?.startsWith("slack:") ?? true;
    const token = isSlack ? tokens.SLACK_BOT_TOKEN : tokens.DISCORD_TOKEN;
    const isNamed = /^(slack|discord):/.test(channel ?? "");
    if (!isNamed || token !== undefined) return;
    const message = `needs ${isSlack ? "SLACK_BOT_TOKEN" : "DISCORD_TOKEN"}: nobody could be told there`;
    context.addIssue({ code: "custom", path: ["PARLEY_OPERATOR_CHANNEL"], message });
  });

export interface OperatorChannel {
  readonly surface: string;
  readonly place: string;
}

/** Null if unset. */
export const operatorChannelOf = ({
  PARLEY_OPERATOR_CHANNEL: channel,
}: z.infer<typeof alertSettings>): OperatorChannel | null => {
  const [surface, place] = channel?.split(":") ?? [];
  return surface === undefined || place === undefined ? null : { surface, place };
};
