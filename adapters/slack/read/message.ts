/** Messages as Slack sends them, parsed as far as they are used: their words and what is shown below them. Pure. */

import * as z from "zod";
import type { Quote } from "../../../src/ports/chat.ts";
import { blockText } from "./block-text.ts";
import { type SlackNames, NO_NAMES, slackPlainText } from "./plain.ts";

const words = z.string().nullish().catch(null);
const many = z.array(z.unknown()).nullish().catch(null);

/** A forwarded message keeps here what its `text` lacks. */
const messageBlocks = z.object({
  message: z.object({ text: words, blocks: many, attachments: many, files: many }),
});

const attachment = z.object({
  author_name: words,
  author_subname: words,
  service_name: words,
  pretext: words,
  title: words,
  title_link: words,
  text: words,
  fields: z
    .array(z.object({ title: z.string().default(""), value: z.string().default("") }))
    .nullish()
    .catch(null),
  fallback: words,
  from_url: words,
  blocks: many,
  message_blocks: z.array(messageBlocks).nullish().catch(null),
  preview: z
    .object({ title: z.unknown().optional(), subtitle: z.unknown().optional() })
    .nullish()
    .catch(null),
  actions: many,
  filename: words,
  files: many,
  list: z.object({ title: words }).nullish().catch(null),
  list_record: z.unknown().optional(),
  list_records: many,
  footer: words,
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

export const millisOfTs = (ts: string): number => Math.round(Number(ts) * 1_000);

/** The id that a message of that time would have at the earliest. */
export const tsAt = (time: number): string => {
  const whole = String(Math.max(0, Math.floor(time))).padStart(4, "0");
  return `${whole.slice(0, -3)}.${whole.slice(-3)}000`;
};

/** A message's own words, plain. Apps often say in blocks what their text only names. */
export const slackTextOf = (
  { text, blocks, bot_id: bot }: SlackMessage,
  without: string,
  names: SlackNames = NO_NAMES,
): string => {
  const own = slackPlainText(text, without, names);
  const built = slackPlainText(blockText(blocks ?? []), without, names);
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

/** Messages of messages that are forwarded are read this deep. */
const DEEPEST = 3;

/** Unfurled links, quoted messages and descriptions of pictures: words of others. */
export const slackContentOf = (
  { attachments, files, ts }: SlackMessage,
  names: SlackNames = NO_NAMES,
): readonly Quote[] => [
  ...shownIn(attachments, millisOfTs(ts), names, 0),
  ...describedIn(files, millisOfTs(ts)),
];

const describedIn = (files: readonly unknown[], at: number): readonly Quote[] =>
  files.flatMap((one) => {
    const { data } = described.safeParse(one);
    return data === undefined
      ? []
      : [{ author: `description of ${visibleFileName(data)}`, text: data.alt_txt, at }];
  });

const described = z.object({ name: words, title: words, alt_txt: z.string().min(1) });

const shownIn = (
  attachments: readonly unknown[],
  at: number,
  names: SlackNames,
  depth: number,
): readonly Quote[] =>
  depth > DEEPEST
    ? []
    : attachments.flatMap((one) => {
        const { data } = attachment.safeParse(one);
        if (data === undefined) return [];
        const inner = (data.message_blocks ?? []).flatMap(({ message }) => message.attachments ?? []);
        return [
          ...quoteOf(data, at, names),
          ...describedIn(data.files ?? [], at),
          ...shownIn(inner, at, names, depth + 1),
        ];
      });

const quoteOf = (data: z.output<typeof attachment>, at: number, names: SlackNames): readonly Quote[] => {
  const said = partsOf(data);
  const words = slackPlainText(said.length === 0 ? (data.fallback ?? "") : said.join("\n"), "", names);
  if (words === "") return [];
  const from = data.from_url ?? "";
  const author = data.author_name ?? data.author_subname ?? data.service_name ?? UNNAMED[from === "" ? 0 : 1];
  const links = [...new Set(present([from, data.title_link]))];
  return [{ author, text: [...links, words].join("\n"), at }];
};

const UNNAMED = ["an attachment", "a link"] as const;

/** Whether a quote's author is no name that people see. */
export const isUnnamed = (author: string): boolean => UNNAMED.some((one) => one === author);

/** In the order in which Slack draws them. The author is told with the quote. */
const partsOf = (data: z.output<typeof attachment>): readonly string[] => {
  const { pretext, title, text, fields, footer, service_name: service, author_subname: alias } = data;
  const author = data.author_name ?? alias;
  const forwarded = (data.message_blocks ?? []).map(({ message }) => message);
  const built = blockText([...(data.blocks ?? []), ...forwarded.flatMap(({ blocks }) => blocks ?? [])]);
  const lists = [data.list_record, ...(data.list_records ?? [])].some(
    (one) => one !== undefined && one !== null,
  );
  const others = forwarded.map((one) => one.text).filter((one) => !holds(text ?? "", one ?? ""));
  const own = present([text, ...others]);
  return present([
    pretext,
    service === author ? null : service,
    alias === author ? null : alias,
    blockText([data.preview?.title, data.preview?.subtitle].map((line) => ({ type: "section", text: line }))),
    title,
    data.list?.title,
    data.filename === title ? null : data.filename,
    ...own,
    ...(fields ?? []).map((field) => `${field.title}: ${field.value}`),
    own.some((part) => holds(part, built)) ? null : built,
    blockText([{ type: "actions", elements: legacyButtons(data.actions ?? []) }]),
    lists ? "[rows of a Slack list are left out]" : null,
    footer,
  ]);
};

const present = (parts: readonly (string | null | undefined)[]): readonly string[] =>
  parts.flatMap((part) => (typeof part === "string" && part !== "" ? [part] : []));

/** Buttons and menus of attachments as blocks have them. */
const legacyButtons = (actions: readonly unknown[]): readonly unknown[] =>
  actions.flatMap((one) => {
    const { data } = legacyButton.safeParse(one);
    return data === undefined ? [] : [{ ...data, type: "button" }];
  });

const legacyButton = z
  .object({ text: z.string(), url: z.string().optional(), name: z.string().optional() })
  .transform(({ text, url, name = "" }) => ({
    text: { type: "mrkdwn", text },
    action_id: name,
    ...(url === undefined ? {} : { url }),
  }));

interface FileNames {
  readonly name?: string | null | undefined;
  readonly title?: string | null | undefined;
}

/** The title that people see, before the name that says what the file is. */
export const visibleFileName = ({ name, title }: FileNames): string => {
  const known = name ?? title ?? "file";
  return typeof title !== "string" || title === "" || known.startsWith(title) ? known : `${title} - ${known}`;
};
