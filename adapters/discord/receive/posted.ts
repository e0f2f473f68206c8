/**
 * Reads a post of an app or webhook at the top of a channel. Null for anything else, and for posts of any
 * Parley. Pure.
 */

import * as z from "zod";
import type { AppMessage } from "../../../src/ports/chat.ts";
import { parseAppPost } from "../../post/app-post.ts";
import { isSign } from "../write/message-key.ts";
import { isQuestionMessage } from "../write/posted-question.ts";
import {
  type DiscordMessage,
  discordFilesOf,
  millisOfSnowflake,
  discordContentOf,
  textOf,
} from "../read/message.ts";
import type { DiscordNames } from "../read/plain.ts";
import type { ThreadLocation } from "../read/threads.ts";

export const discordAppPostOf = (
  message: DiscordMessage,
  { place, root }: ThreadLocation,
  names: DiscordNames,
): AppMessage | null => {
  const { id, author, webhook_id: webhook, application_id: app, guild_id: guild, type } = message;
  if ((!author.bot && webhook === undefined) || names.isSelf(author.id) || guild === undefined) return null;
  // A forum post is the first message of its own thread.
  if ((root !== null && root !== id) || type !== 0) return null;
  if (isSign(message.components[0]?.id ?? 0) || isQuestionMessage(message.content)) return null;
  const [titled] = message.embeds.flatMap((one) => headed.safeParse(one).data ?? []);
  const words = [
    textOf(message, names),
    ...discordContentOf(message, names).map(({ text }) => text),
    ...discordFilesOf(message).map(({ name }) => `[file: ${name}]`),
  ];
  const told = parseAppPost(words.join("\n"), { title: titled?.title ?? null, link: titled?.url ?? null });
  return (
    told && {
      ...told,
      place,
      message: id,
      by: [author.id, webhook, app].filter((one) => one !== undefined),
      at: millisOfSnowflake(id),
    }
  );
};

const headed = z.object({ title: z.string().min(1), url: z.string().nullish() });
