/** Posts messages. A nonce makes a repeat of the call harmless for some minutes. */

import { withIdSchema } from "../read/hearing.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { nonceOf } from "./message-key.ts";

/** Fields with which Discord accepts a message only once. */
export const onceBy = (key: string) => ({ nonce: nonceOf(key), enforce_nonce: true });

/** Returns the id of the message. `key`: makes Discord accept the message once. With null, every call posts again. */
export const postDiscordMessage = async (
  calls: DiscordCalls,
  channel: string,
  key: string | null,
  body: object,
): Promise<string> => {
  const once = key === null ? {} : onceBy(key);
  return idIn(await calls.call("POST", `/channels/${channel}/messages`, { body: { ...body, ...once } }));
};

export const idIn = (answer: unknown): string => withIdSchema.parse(answer).id;
