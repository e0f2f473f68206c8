/** Fields that bodies of several requests have. */

import * as z from "zod";

/** A channel of a chat platform. */
export const channelAddress = z.strictObject({
  surface: z.enum(["slack", "discord"]),
  place: z.string().regex(/^([CGD][A-Z0-9]{2,20}|\d{15,25})$/, "must be a channel's id, not its name"),
});

/** Dollars a day, as the host counts them: in millionths. Null: no bound. */
export const dollarsADay = z
  .number()
  .min(0)
  .max(1_000_000)
  .nullable()
  .transform((dollars) => (dollars === null ? null : Math.round(dollars * 1_000_000)));
