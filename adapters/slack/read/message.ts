/**
 * Schemas of Slack messages, with the fields that Parley uses: their text and the content displayed below.
 * Pure.
 */

import * as z from "zod";
import type { Quote } from "../../../src/ports/chat.ts";
import { blockText } from "./block-text.ts";
import { type SlackNames, NO_NAMES, slackPlainText } from "./plain.ts";

const words = z.string().nullish().catch(null);
const many = z.array(z.unknown()).nullish().catch(null);

/** Content of a forwarded message that its `text` lacks. */
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
  /** `ts` has whole seconds. Previews that Slack adds are no edit and set nothing here. */
  edited: z.object({ user: z.string().optional(), ts: z.string() }).optional().catch(undefined),
});

export type SlackMessage = z.output<typeof slackMessage>;

export const millisOfTs = (ts: string): number => Math.round(Number(ts) * 1_000);

/** Returns the earliest possible message id at that time. */
export const tsAt = (time: number): string => {
  const whole = String(Math.max(0, Math.floor(time))).padStart(4, "0");
  return `${whole.slice(0, -3)}.${whole.slice(-3)}000`;
};

/**
 * Returns a message's own text without markup. Apps often put the details in blocks and only a title in the
 * text.
 */
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

/** Whether `text` contains the letters and digits of each line of `lines`, in this order. */
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

/** Removes marks of lists and emphasis, which differ between the text and the blocks of one message. */
const squeezed = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, "");
const LIST_MARK = /^ *(?:•|\d+\.) /;

/** Maximum depth of forwarded messages. */
const DEEPEST = 3;

/** Link previews, quoted messages and descriptions of pictures, which are untrusted content. */
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

/** Whether a quote's author is a placeholder instead of a name. */
export const isUnnamed = (author: string): boolean => UNNAMED.some((one) => one === author);

/** Returns the parts in Slack's display order, without the author, who is named with the quote. */
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

/** Converts buttons and menus of attachments to their form in blocks. */
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

/** Returns the visible title followed by the file name. */
export const visibleFileName = ({ name, title }: FileNames): string => {
  const known = name ?? title ?? "file";
  return typeof title !== "string" || title === "" || known.startsWith(title) ? known : `${title} - ${known}`;
};
