/**
 * Text of Block Kit in reading order. App posts often hold it in no other field. The result is Slack's own markup, like
 * the `text` of a message. Pure.
 */

import * as z from "zod";

/** Deepest nesting that is read. */
const DEEPEST = 12;

/** One line for each block, field, list item or table row that has text; empty for blocks without text. */
export const blockText = (blocks: readonly unknown[]): string =>
  blocks
    .flatMap((block) => linesOf(block, 0))
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");

const linesOf = (block: unknown, depth: number): readonly string[] => {
  const { data } = node.safeParse(block);
  if (data === undefined || depth > DEEPEST) return [];
  const inner = (all: readonly unknown[]) => all.flatMap((one) => linesOf(one, depth + 1));
  switch (data.type) {
    case "rich_text_section":
    case "rich_text_preformatted":
    case "rich_text_quote":
      return [data.elements.map(inlineText).join("")];
    case "rich_text_list":
      return listLines(data, depth);
    case "actions":
    case "context_actions":
    case "input":
      return [];
    default:
      return [
        ...VISIBLE.flatMap((key) => wordsOf(data[key], depth)),
        ...inner(data.fields),
        ...inner(data.elements),
        ...inner(data.child_blocks),
        ...inner(data.tasks),
        ...inner(data.sources),
        ...(data.type.endsWith("table") ? rowLines(data.rows, depth) : []),
      ];
  }
};

/** Fields with text that people see, in the order in which Slack draws them. */
const VISIBLE = [
  "author_name",
  "provider_name",
  "icon",
  "hero_image",
  "title",
  "rich_text_title",
  "caption",
  "subtitle",
  "subtext",
  "description",
  "text",
  "body",
  "details",
  "output",
  "alt_text",
  "accessory",
] as const;

/** A string, a text object, or a block inside of a block. */
const wordsOf = (value: unknown, depth: number): readonly string[] => {
  if (typeof value === "string") return [value];
  const { data } = textObject.safeParse(value);
  if (data !== undefined && TEXTS.includes(data.type)) {
    return [data.type === "raw_text" ? escaped(data.text) : data.text];
  }
  // The label of a button or a menu is no message text.
  return control.safeParse(value).success ? [] : linesOf(value, depth + 1);
};

/** Slack sends the characters of rich text and of table cells as they are, and escapes them in all other text. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const TEXTS: readonly (string | undefined)[] = [undefined, "plain_text", "mrkdwn", "raw_text"];

/** Numbers follow `offset`; one level of `indent` is two blanks. */
const listLines = ({ elements, style, indent, offset }: Node, depth: number): readonly string[] =>
  elements.flatMap((item, index) => {
    const mark = style === "ordered" ? `${offset + index + 1}. ` : "• ";
    const margin = "  ".repeat(Math.min(indent, DEEPEST));
    const [first = "", ...rest] = linesOf(item, depth + 1).flatMap((line) => line.split("\n"));
    return [`${margin}${mark}${first}`, ...rest.map((line) => `${margin}${" ".repeat(mark.length)}${line}`)];
  });

const rowLines = (rows: readonly (readonly unknown[])[], depth: number): readonly string[] =>
  rows.map((row) => row.map((cell) => cellText(cell, depth)).join(" | "));

const cellText = (cell: unknown, depth: number): string => {
  const { data } = numberCell.safeParse(cell);
  return data === undefined ? wordsOf(cell, depth).join(" ") : (data.text ?? String(data.value));
};

const many = z.array(z.unknown()).catch([]);
const count = z.number().int().nonnegative().catch(0);
const node = z.looseObject({
  type: z.string(),
  fields: many,
  elements: many,
  child_blocks: many,
  tasks: many,
  sources: many,
  rows: z.array(many).catch([]),
  style: z.unknown().optional(),
  indent: count,
  offset: count,
});
type Node = z.output<typeof node>;
const textObject = z.object({ type: z.string().optional(), text: z.string() });
const control = z.object({ action_id: z.string() });
const numberCell = z.object({
  type: z.literal("raw_number"),
  value: z.number(),
  text: z.string().optional(),
});

/** As Slack writes the element in the `text` of a message. */
const inlineText = (element: unknown): string => inline.parse(element);

const inline = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }).transform(({ text }) => escaped(text)),
    z
      .object({ type: z.literal("link"), url: z.string(), text: z.string().optional() })
      .transform(({ url, text }) => (text === undefined ? `<${url}>` : `<${url}|${text}>`)),
    z.object({ type: z.literal("user"), user_id: z.string() }).transform((one) => `<@${one.user_id}>`),
    z
      .object({ type: z.literal("channel"), channel_id: z.string() })
      .transform((one) => `<#${one.channel_id}>`),
    z
      .object({ type: z.literal("usergroup"), usergroup_id: z.string() })
      .transform((one) => `<!subteam^${one.usergroup_id}>`),
    z.object({ type: z.literal("team"), team_id: z.string() }).transform((one) => one.team_id),
    z.object({ type: z.literal("broadcast"), range: z.string() }).transform(({ range }) => `<!${range}>`),
    z.object({ type: z.literal("emoji"), name: z.string() }).transform(({ name }) => `:${name}:`),
    z.object({ type: z.literal("color"), value: z.string() }).transform(({ value }) => value),
    z
      .object({ type: z.literal("date"), timestamp: z.number(), fallback: z.string().optional() })
      .transform(({ timestamp, fallback }) => fallback ?? instantText(timestamp)),
  ])
  .catch("");

const instantText = (seconds: number): string => {
  const instant = new Date(seconds * 1_000);
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString();
};

/**
 * Whether rich text in `blocks` notifies the user; null if there is no rich text. A mention inside code is a text
 * element and notifies nobody.
 */
export const richTextNotifies = (blocks: readonly unknown[], user: string): boolean | null => {
  const rich = blocks.flatMap((block) => richText.safeParse(block).data ?? []);
  return rich.length === 0 ? null : rich.some(({ elements }) => hasUser(elements, user, 0));
};

const hasUser = (elements: readonly unknown[], user: string, depth: number): boolean =>
  depth <= DEEPEST &&
  elements.some((element) => {
    if (userElement.safeParse(element).data?.user_id === user) return true;
    const { data } = node.safeParse(element);
    return data !== undefined && hasUser(data.elements, user, depth + 1);
  });

const richText = z.object({ type: z.literal("rich_text"), elements: z.array(z.unknown()) });
const userElement = z.object({ type: z.literal("user"), user_id: z.string() });
