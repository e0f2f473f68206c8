/** Reads an app's post at the top of a channel. Null for anything else, and for posts of any Parley. Pure. */

import * as z from "zod";
import type { AppMessage } from "../../../src/ports/chat.ts";
import { parseAppPost } from "../../post/app-post.ts";
import type { SlackIdentity } from "../read/identity.ts";
import { SIGN } from "../write/blocks.ts";
import { slackFilesOf } from "../read/files.ts";
import { isUnnamed, millisOfTs, slackContentOf, slackTextOf } from "../read/message.ts";
import { type SlackNames, NO_NAMES } from "../read/plain.ts";
import type { ReceivedMessage } from "../read/read.ts";

export const slackAppPostOf = (
  { channel, isDirect, message }: ReceivedMessage,
  self: SlackIdentity,
  names: SlackNames = NO_NAMES,
): AppMessage | null => {
  const { bot_id: bot, app_id: app, user, bot_profile: profile, thread_ts: thread, ts } = message;
  const { subtype, attachments } = message;
  if (bot === undefined || bot === self.bot || user === self.user || isDirect) return null;
  if ((thread !== undefined && thread !== ts) || !POSTS.includes(subtype)) return null;
  if (isSigned(message.blocks ?? [])) return null;
  const [titled] = attachments.flatMap((one) => headed.safeParse(one).data ?? []);
  const words = [
    slackTextOf(message, "", names),
    ...slackContentOf(message, names).map(({ author, text }) =>
      isUnnamed(author) ? text : `${text}\n${author}`,
    ),
    ...slackFilesOf(message).map(({ name, text = "" }) => `[file: ${name}]\n${text}`),
  ];
  const told = parseAppPost(words.join("\n"), {
    title: titled?.title ?? null,
    link: titled?.title_link ?? null,
  });
  return (
    told && {
      ...told,
      place: channel,
      message: ts,
      by: [bot, app, user, profile?.app_id].filter((id) => id !== undefined),
      at: millisOfTs(ts),
    }
  );
};

const POSTS: readonly (string | undefined)[] = [undefined, "bot_message", "file_share"];

/** Whether a Parley wrote the post, which then carries its sign or its buttons. */
const isSigned = (blocks: readonly unknown[]): boolean =>
  blocks.some((one) => {
    const { data } = block.safeParse(one);
    return data?.block_id === SIGN || data?.elements.some(({ action_id: id }) => id?.startsWith("parley_"));
  });

const headed = z.object({ title: z.string().min(1), title_link: z.string().nullish() });
const block = z.object({
  block_id: z.string().optional(),
  elements: z.array(z.object({ action_id: z.string().optional() })).catch([]),
});
