/** Messages that are posted. A nonce makes a repeat of the call harmless for some minutes. */

import { withIdSchema } from "../read/hearing.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { nonceOf } from "./message-key.ts";

/** By which Discord takes a message once. */
export const onceBy = (key: string) => ({ nonce: nonceOf(key), enforce_nonce: true });

/** Answers its id. `key`: by which Discord takes it once; null takes it as often as it comes. */
export const postDiscordMessage = async (
  calls: DiscordCalls,
  channel: string,
  key: string | null,
  body: object,
): Promise<string> => {
  const once = key === null ? {} : onceBy(key);
  return idIn(await calls.call("POST", `/channels/${channel}/messages`, { body: { ...body, ...once } }));
};

/** Of what Discord answers with. */
export const idIn = (answer: unknown): string => withIdSchema.parse(answer).id;
