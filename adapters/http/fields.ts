/** Fields that several request bodies share. */

import * as z from "zod";

/** A channel of a chat platform. */
export const channelAddress = z.strictObject({
  surface: z.enum(["slack", "discord"]),
  place: z.string().regex(/^([CGD][A-Z0-9]{2,20}|\d{15,25})$/, "must be a channel's id, not its name"),
});

/** Dollars per day, converted to the host's millionths. Null means no limit. */
export const dollarsADay = z
  .number()
  .min(0)
  .max(1_000_000)
  .nullable()
  .transform((dollars) => (dollars === null ? null : Math.round(dollars * 1_000_000)));
