/**
 * Extracts everything that people can see in a message: its text, the content that Discord displays below,
 * and its files. Forwarded and replied messages are read in the same way. Pure.
 */

import * as z from "zod";
import type { Quote, SharedFile } from "../../../src/ports/chat.ts";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import { discordPlainText, type DiscordNames } from "./plain.ts";

const words = z.string().nullish().catch(null);
const list = z.array(z.unknown()).catch([]).default([]);

export const user = z.object({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().default(false),
});

/** Fields that a message and the snapshot of a forwarded message share. */
export const visible = z.object({
  content: z.string().default(""),
  mentions: z.array(user).default([]),
  attachments: list,
  embeds: list,
  components: z.array(z.looseObject({ id: z.int().optional() }).catch({})).default([]),
  sticker_items: list,
  poll: z.unknown().optional(),
  message_snapshots: list,
});

export type Visible = z.output<typeof visible>;

const attachment = z.object({
  id: z.string(),
  filename: z.string(),
  title: words,
  description: words,
  content_type: z.string().nullish(),
  size: z.number(),
  url: z.string(),
});

const media = z.object({ description: words }).nullish().catch(null);
const embed = z.object({
  type: words,
  provider: z.object({ name: words }).nullish().catch(null),
  author: z.object({ name: words }).nullish().catch(null),
  title: words,
  description: words,
  url: words,
  fields: list,
  image: media,
  thumbnail: media,
  video: media,
  components: list,
  footer: z.object({ text: words }).nullish().catch(null),
  timestamp: words,
});
const field = z.object({ name: z.string().default(""), value: z.string().default("") });
const sticker = z.object({ name: z.string() });
/** A forwarded message contains no further forwarded message. */
const snapshot = z.object({
  message: visible.extend({
    message_snapshots: z
      .unknown()
      .optional()
      .transform((): unknown[] => []),
  }),
});
const pollMedia = z.object({ text: words, emoji: z.object({ name: words }).nullish().catch(null) });
const poll = z.object({
  question: pollMedia,
  answers: z.array(z.object({ answer_id: z.int().optional(), poll_media: pollMedia })).catch([]),
  results: z
    .object({ answer_counts: z.array(z.object({ id: z.int(), count: z.int() })).catch([]) })
    .nullish()
    .catch(null),
});

export const displayNameOf = ({ global_name: shown, username }: z.output<typeof user>): string =>
  shown ?? username;

/** Returns the author's own text: the message, a poll, and text components of an app. */
export const visibleTextOf = (message: Visible, names: DiscordNames, controls = true): string => {
  const named = namesIn(message, names);
  return [
    discordPlainText(message.content, named),
    ...pollOf(message.poll),
    ...componentWords(message.components, controls, 0).map((one) => discordPlainText(one, named)),
  ]
    .filter((part) => part !== "")
    .join("\n");
};

/** Returns the text with ids instead of names, for commands: `@123`, `@&123` for a role, `#123`. */
export const typedOf = (
  { content }: Pick<Visible, "content">,
  { isSelf }: Pick<DiscordNames, "isSelf">,
): string =>
  discordPlainText(content, { isSelf, user: () => null, role: (id) => `&${id}`, channel: () => null });

/** Adds the names of mentioned people, which the message contains. If two people have the same name, ids are added. */
const namesIn = ({ mentions }: Visible, names: DiscordNames): DiscordNames => {
  const byName = Map.groupBy(mentions, displayNameOf);
  const own = new Map(
    mentions.map((one) => {
      const name = displayNameOf(one);
      const isAlone = new Set(byName.get(name)?.map(({ id }) => id)).size === 1;
      return [one.id, isAlone ? name : `${name} (${one.id})`];
    }),
  );
  return { ...names, user: (id) => own.get(id) ?? names.user(id) };
};

const pollOf = (given: unknown): readonly string[] => {
  const { data } = poll.safeParse(given);
  if (data === undefined) return [];
  const counts = new Map(data.results?.answer_counts.map(({ id, count }) => [id, count]) ?? []);
  return [
    `Poll: ${mediaWords(data.question)}`,
    ...data.answers.map(({ answer_id: id, poll_media: media }) => {
      const count = id === undefined ? undefined : counts.get(id);
      return `- ${mediaWords(media)}${count === undefined ? "" : ` (votes: ${count})`}`;
    }),
  ];
};

const mediaWords = ({ emoji, text }: z.output<typeof pollMedia>): string =>
  present([emoji?.name, text]).join(" ");

const present = (all: readonly (string | null | undefined)[]): readonly string[] =>
  all.flatMap((part) => (part === null || part === undefined || part === "" ? [] : [part]));

/** Maximum depth of components. Discord nests three levels today. */
const DEEPEST = 8;
const LINK_BUTTON_KINDS: readonly unknown[] = [2];
const TEXT_INPUT = 4;
const TEXT = 10;

/** Returns texts in reading order. `controls`: whether to include labels of buttons and menus. */
const componentWords = (all: readonly unknown[], controls: boolean, depth: number): readonly string[] =>
  depth > DEEPEST ? [] : all.flatMap((one) => wordsOfComponent(one, controls, depth));

const component = z.object({
  type: z.unknown().optional(),
  emoji: z.object({ name: words }).nullish().catch(null),
  label: words,
  value: words,
  url: words,
  placeholder: words,
  content: words,
  name: words,
  description: words,
  components: list,
  options: list,
  items: list,
  component: z.unknown().optional(),
  accessory: z.unknown().optional(),
});

const wordsOfComponent = (given: unknown, controls: boolean, depth: number): readonly string[] => {
  const { data } = component.safeParse(given);
  if (data === undefined) return [];
  const { type, emoji, label, value, url, placeholder, content, name, description } = data;
  const target = LINK_BUTTON_KINDS.includes(type) && url ? [`(${url})`] : [];
  const shown = present([emoji?.name, label, ...target]).join(" ");
  const typed = type === TEXT_INPUT ? value : null;
  const own = controls || type === TEXT ? [shown, typed, placeholder, content, name, description] : [];
  const inner = [...data.components, ...data.options, ...data.items, data.component, data.accessory];
  return [...present(own), ...componentWords(inner, controls, depth + 1)];
};

/** `title` is the author's file name; `filename` is Discord's version of it. */
const shownName = ({ title, filename }: z.output<typeof attachment>): string => {
  if (!title) return filename;
  const [ending = ""] = /\.[^.]*$/.exec(filename) ?? [];
  return title.toLowerCase().endsWith(ending.toLowerCase()) ? title : `${title}${ending}`;
};

/** `author`: set for files that another person sent first. */
export const filesIn = (message: Visible, author?: string): readonly SharedFile[] => [
  ...message.attachments.flatMap((one) => {
    const { data } = attachment.safeParse(one);
    if (data === undefined) return [];
    const { id, content_type: type, size, url } = data;
    const mediaType = type?.split(";")[0] ?? "application/octet-stream";
    return [{ id, name: shownName(data), mediaType, size, url, ...omitUndefined({ author }) }];
  }),
  ...snapshotsOf(message).flatMap((one) => filesIn(one, FORWARDED)),
];

const FORWARDED = "a forwarded message";
const PREVIEW = "a link";

const snapshotsOf = ({ message_snapshots: all }: Visible): readonly Visible[] =>
  all.flatMap((one) => snapshot.safeParse(one).data?.message ?? []);

/**
 * Returns text that Discord displays below the author's message: previews, embeds of apps, stickers, texts of
 * files, forwards. `by`: author of embeds other than previews. `at`: time of the message, which links quotes
 * to a later deletion.
 */
export const visibleContentOf = (
  message: Visible,
  names: DiscordNames,
  by: string,
  at: number,
): readonly Quote[] => {
  const named = namesIn(message, names);
  const quote = (author: string, text: string): readonly Quote[] => {
    const plain = discordPlainText(text, named);
    return plain === "" ? [] : [{ author, text: plain, at }];
  };
  return [
    ...snapshotsOf(message).flatMap((one) => [
      ...quote(FORWARDED, visibleTextOf(one, names)),
      ...visibleContentOf(one, names, FORWARDED, at),
    ]),
    ...message.attachments.flatMap((one) => {
      const { data } = attachment.safeParse(one);
      return data?.description ? quote(`description of ${shownName(data)}`, data.description) : [];
    }),
    ...message.embeds.flatMap((one) => {
      const { data } = embed.safeParse(one);
      if (data === undefined) return [];
      return quote(
        data.type === "rich" || data.type === "poll_result" ? by : PREVIEW,
        embedWords(data).join("\n"),
      );
    }),
    ...message.sticker_items.flatMap((one) => {
      const { data } = sticker.safeParse(one);
      return data === undefined ? [] : quote("a sticker", data.name);
    }),
  ];
};

/** Returns texts in Discord's display order, the address first. */
const embedWords = (one: z.output<typeof embed>): readonly string[] => {
  const fields = one.fields.flatMap((each) => field.safeParse(each).data ?? []);
  const said = present([
    one.provider?.name,
    one.author?.name,
    one.title,
    one.description,
    ...fields.map(({ name, value }) => `${name}: ${value}`),
    one.image?.description,
    one.thumbnail?.description,
    one.video?.description,
    ...componentWords(one.components, true, 0),
    one.footer?.text,
    one.timestamp,
  ]);
  return said.length === 0 ? [] : [...(one.url ? [one.url] : []), ...said];
};
