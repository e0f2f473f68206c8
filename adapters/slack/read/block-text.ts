/**
 * The words of Block Kit in the order in which people read them: what apps post often has them nowhere else. In
 * Slack's own markup, like a message's text. Pure.
 */

import * as z from "zod";

/** Lists in lists and the like are followed this deep. */
const DEEPEST = 12;

/** One line for each block, field or list item that says something; empty for what is not read. */
export const blockText = (blocks: readonly unknown[]): string =>
  blocks
    .flatMap((block) => linesOf(block, 0))
    .map((line) => line.trim())
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
      return [data.elements.map((one) => inline.parse(one)).join("")];
    case "actions":
    case "input":
      return [];
    default:
      return [
        ...wordsOf(data.title),
        ...wordsOf(data.text),
        ...wordsOf(data.alt_text),
        ...inner(data.fields),
        ...inner(data.elements),
        ...(data.type === "table" ? rowsOf(data.rows, depth) : []),
      ];
  }
};

/** A text as such, or a text object. */
const wordsOf = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  const { data } = textObject.safeParse(value);
  return data === undefined ? [] : [data.text];
};

const rowsOf = (rows: readonly (readonly unknown[])[], depth: number): readonly string[] =>
  rows.map((row) => row.map((cell) => linesOf(cell, depth + 1).join(" ")).join(" | "));

const many = z.array(z.unknown()).catch([]);
const node = z.object({
  type: z.string(),
  title: z.unknown().optional(),
  text: z.unknown().optional(),
  alt_text: z.unknown().optional(),
  fields: many,
  elements: many,
  rows: z.array(many).catch([]),
});
const textObject = z.object({ text: z.string() });
/** As Slack writes it in a message's text. */
const inline = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }).transform(({ text }) => text),
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
    z.object({ type: z.literal("broadcast"), range: z.string() }).transform(({ range }) => `<!${range}>`),
    z.object({ type: z.literal("emoji"), name: z.string() }).transform(({ name }) => `:${name}:`),
  ])
  .catch("");
