/** Messages, files and attachments as Slack sends them, parsed as far as they are used. */

import * as z from "zod";
import type { Quote, SharedFile } from "../../src/runtime/ports-chat.ts";
import { plainText } from "./plain.ts";

const file = z.object({
  id: z.string(),
  name: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  url_private: z.string().nullish(),
});

const attachment = z.object({
  author_name: z.string().nullish(),
  author_subname: z.string().nullish(),
  service_name: z.string().nullish(),
  title: z.string().nullish(),
  text: z.string().nullish(),
  fallback: z.string().nullish(),
  from_url: z.string().nullish(),
});

export const slackMessage = z.object({
  ts: z.string(),
  text: z.string().default(""),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  subtype: z.string().optional(),
  thread_ts: z.string().optional(),
  files: z.array(z.unknown()).default([]),
  attachments: z.array(z.unknown()).default([]),
});

export type SlackMessage = z.output<typeof slackMessage>;

/** Milliseconds of a message's timestamp. */
export const millisOf = (ts: string): number => Math.round(Number(ts) * 1_000);

/** Deleted files and those that Slack does not serve are left out. */
export const filesOf = ({ files }: SlackMessage): readonly SharedFile[] =>
  files.flatMap((one) => {
    const { data } = file.safeParse(one);
    if (data?.url_private === undefined || data.url_private === null) return [];
    return [
      {
        id: data.id,
        name: data.name ?? "file",
        mediaType: data.mimetype ?? "application/octet-stream",
        size: data.size ?? 0,
        url: data.url_private,
      },
    ];
  });

/** Unfurled links and quoted messages: words of others. */
export const shownOf = ({ attachments, ts }: SlackMessage): readonly Quote[] =>
  attachments.flatMap((one) => {
    const { data } = attachment.safeParse(one);
    if (data === undefined) return [];
    const written = [data.title, data.text ?? data.fallback].filter((part) => typeof part === "string");
    const text = plainText(written.join("\n"), "");
    if (text === "") return [];
    const author = data.author_name ?? data.author_subname ?? data.service_name ?? "a link";
    const from = data.from_url ?? "";
    return [{ author, text: from === "" ? text : `${from}\n${text}`, at: millisOf(ts) }];
  });
