/** Messages as Slack sends them, parsed as far as they are used: their words and what is shown below them. Pure. */

import * as z from "zod";
import type { Quote } from "../../../src/ports/chat.ts";
import { blockText } from "./block-text.ts";
import { plainText } from "./plain.ts";

/** A forwarded post of an app keeps its words here. */
const messageBlocks = z.object({ message: z.object({ blocks: z.array(z.unknown()).catch([]) }) });

const attachment = z.object({
  author_name: z.string().nullish(),
  author_subname: z.string().nullish(),
  service_name: z.string().nullish(),
  pretext: z.string().nullish(),
  title: z.string().nullish(),
  text: z.string().nullish(),
  fields: z
    .array(z.object({ title: z.string().default(""), value: z.string().default("") }))
    .nullish()
    .catch(null),
  fallback: z.string().nullish(),
  from_url: z.string().nullish(),
  blocks: z.array(z.unknown()).nullish(),
  message_blocks: z.array(messageBlocks).nullish().catch(null),
  footer: z.string().nullish(),
});

export const slackMessage = z.object({
  ts: z.string(),
  text: z.string().default(""),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  username: z.string().optional(),
  app_id: z.string().optional(),
  bot_profile: z.object({ name: z.string().optional(), app_id: z.string().optional() }).optional(),
  subtype: z.string().optional(),
  thread_ts: z.string().optional(),
  blocks: z.array(z.unknown()).optional(),
  files: z.array(z.unknown()).default([]),
  attachments: z.array(z.unknown()).default([]),
});

export type SlackMessage = z.output<typeof slackMessage>;

export const millisOf = (ts: string): number => Math.round(Number(ts) * 1_000);

/** A message's own words, plain. Apps often say in blocks what their text only names. */
export const wordsOf = ({ text, blocks, bot_id: bot }: SlackMessage, without: string): string => {
  const own = plainText(text, without);
  const built = plainText(blockText(blocks ?? []), without);
  if (bot === undefined && own !== "" && holds(own, built)) return own;
  return own === "" || holds(built, own) ? built : own.includes(built) ? own : `${own}\n${built}`;
};

/** Whether `text` has the letters and digits of each line of `lines`, in this order. */
const holds = (text: string, lines: string): boolean => {
  const whole = squeezed(text);
  let from = 0;
  return lines.split("\n").every((line) => {
    const part = squeezed(line.replace(LIST_MARK, ""));
    const at = whole.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
};

/** Marks of lists and of emphasis differ between the text and the blocks of one message. */
const squeezed = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, "");
const LIST_MARK = /^ *(?:•|\d+\.) /;

/** Unfurled links and quoted messages: words of others. */
export const shownOf = ({ attachments, ts }: SlackMessage): readonly Quote[] =>
  attachments.flatMap((one) => {
    const { data } = attachment.safeParse(one);
    if (data === undefined) return [];
    const { pretext, title, text, fields, fallback, blocks, footer } = data;
    const forwarded = (data.message_blocks ?? []).flatMap(({ message }) => message.blocks);
    const built = blockText([...(blocks ?? []), ...forwarded]);
    const said = [
      pretext,
      title,
      text,
      ...(fields ?? []).map((field) => `${field.title}: ${field.value}`),
      typeof text === "string" && holds(text, built) ? null : built,
      footer,
    ].filter((part) => typeof part === "string" && part !== "");
    const words = plainText(said.length === 0 ? (fallback ?? "") : said.join("\n"), "");
    if (words === "") return [];
    const from = data.from_url ?? "";
    const unnamed = from === "" ? "an attachment" : "a link";
    const author = data.author_name ?? data.author_subname ?? data.service_name ?? unnamed;
    return [{ author, text: from === "" ? words : `${from}\n${words}`, at: millisOf(ts) }];
  });
