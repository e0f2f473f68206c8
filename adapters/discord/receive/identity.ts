/** The bot's identity from the gateway's first event. */

import * as z from "zod";
import { withIdSchema } from "../read/hearing.ts";

export interface DiscordIdentity {
  readonly application: string;
  readonly bot: string;
  readonly name: string;
}

export const identityOf = (data: unknown): DiscordIdentity | null => {
  const read = ready.safeParse(data);
  if (!read.success) return null;
  const { application, user } = read.data;
  return { application: application.id, bot: user.id, name: user.username };
};

const ready = z.object({
  application: withIdSchema,
  user: withIdSchema.extend({ username: z.string() }),
});
