/**
 * Extracts the text of Block Kit in reading order, because app posts often have it in no other field. The
 * result is Slack's own markup, like the `text` of a message. Pure.
 */

import * as z from "zod";

const DEEPEST = 12;

/**
 * Returns one line for each block, field, list item or table row with text; empty for blocks without text.
 */
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
    case "input":
      return ["label", "element", "hint"].flatMap((key) => wordsOf(data[key], depth));
    case "url":
      return wordsOf(data["text"], depth).map((line) => `${line} (${urlOf(data)})`);
    case "call":
      return call.safeParse(data).data ?? [];
    default:
      return [
        ...VISIBLE.flatMap((key) => wordsOf(data[key], depth)),
        ...inner(data.fields),
        ...data.elements.flatMap((one) => wordsOf(one, depth)),
        ...inner(data.child_blocks),
        ...inner(data.tasks),
        ...inner(data.sources),
        ...data.actions.flatMap((one) => wordsOf(one, depth)),
        ...(data.type.endsWith("table") ? rowLines(data.rows, depth) : []),
      ];
  }
};

const urlOf = ({ url }: Node): string => (typeof url === "string" ? escaped(url) : "");

/** Fields with visible text, in Slack's display order. */
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
  "button_label",
  "accessory",
] as const;

/** Reads a string, a text object, or a block inside a block. */
const wordsOf = (value: unknown, depth: number): readonly string[] => {
  if (typeof value === "string") return [value];
  const { data } = textObject.safeParse(value);
  if (data !== undefined && TEXTS.includes(data.type)) {
    return [data.type === "raw_text" ? escaped(data.text) : data.text];
  }
  const used = control.safeParse(value).data;
  return used === undefined ? linesOf(value, depth + 1) : controlLines(used, depth);
};

/** Returns labels that people see before they click. Controls of any Parley are skipped. */
const controlLines = (used: Control, depth: number): readonly string[] => {
  if (used.action_id?.startsWith("parley_") === true) return [];
  const lines = (value: unknown): readonly string[] => wordsOf(value, depth);
  const [label = ""] = lines(used.text);
  const target = typeof used.url === "string" ? ` (${escaped(used.url)})` : "";
  const chosen = [used.initial_option, ...used.initial_options, ...filledIn(used)].flatMap(
    choiceLines(lines),
  );
  return [
    ...(label === "" ? [] : [`[${label}]${target}`]),
    ...(used.positive_button ? lines(used.positive_button.text).map((one) => `[${one}]`) : []),
    ...(used.negative_button ? lines(used.negative_button.text).map((one) => `[${one}]`) : []),
    ...(OPEN_CHOICES.includes(used.type) ? used.options.flatMap(choiceLines(lines)) : chosen),
    ...(chosen.length === 0 ? lines(used.placeholder) : []),
  ];
};

/** Returns the values of fields, in Slack's markup. */
const filledIn = (used: Control): readonly unknown[] => [
  used.initial_value,
  used["initial_date"],
  used["initial_time"],
  ...z.array(z.number()).catch([]).parse([used["initial_date_time"]]).map(instantText),
  ...MENTIONED.flatMap(([key, sign]) =>
    [used[key]].flat().flatMap((id) => (typeof id === "string" ? [`<${sign}${id}>`] : [])),
  ),
];

/** Fields with ids of people and channels. */
const MENTIONED = [
  ["initial_user", "@"],
  ["initial_users", "@"],
  ["initial_channel", "#"],
  ["initial_channels", "#"],
  ["initial_conversation", "#"],
  ["initial_conversations", "#"],
] as const;

/** Controls that display every choice without a click. */
const OPEN_CHOICES: readonly unknown[] = ["checkboxes", "radio_buttons"];

/** Returns a choice with its description, or the value of a field. */
const choiceLines =
  (lines: (value: unknown) => readonly string[]) =>
  (value: unknown): readonly string[] => {
    const { data } = choice.safeParse(value);
    return data === undefined ? lines(value) : [data.text, data.description].flatMap(lines);
  };

/** Escapes text of rich text and table cells, which Slack sends unescaped, unlike all other text. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const TEXTS: readonly (string | undefined)[] = [undefined, "plain_text", "mrkdwn", "raw_text"];

/** Numbers continue from `offset`; one level of `indent` is two blanks. */
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
  actions: many,
  rows: z.array(many).catch([]),
  style: z.unknown().optional(),
  indent: count,
  offset: count,
});
type Node = z.output<typeof node>;
const textObject = z.object({ type: z.string().optional(), text: z.string() });
const label = z.object({ text: z.unknown() }).optional().catch(undefined);
/** Slack gives each control of a message an `action_id`, except a workflow's button. */
const control = z
  .looseObject({
    type: z.string(),
    action_id: z.string().optional(),
    text: z.unknown().optional(),
    url: z.unknown().optional(),
    placeholder: z.unknown().optional(),
    positive_button: label,
    negative_button: label,
    options: many,
    initial_option: z.unknown().optional(),
    initial_options: many,
    initial_value: z.unknown().optional(),
  })
  .refine(({ type, action_id: action }) => action !== undefined || CONTROLS.includes(type));
type Control = z.output<typeof control>;
const CONTROLS: readonly string[] = ["button", "workflow_button", "icon_button", "feedback_buttons"];
const choice = z.object({ text: z.object({ text: z.string() }), description: z.unknown().optional() });
const call = z
  .object({ call: z.object({ v1: z.object({ name: z.string() }) }) })
  .transform(({ call: { v1 } }) => [v1.name]);
const numberCell = z.object({
  type: z.literal("raw_number"),
  value: z.number(),
  text: z.string().optional(),
});

/** Formats an element as in the `text` of a message. */
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
      .object({
        type: z.literal("date"),
        timestamp: z.number(),
        format: z.string().default(""),
        fallback: z.string().optional(),
      })
      .transform(({ timestamp, format, fallback }) => fallback ?? dateText(timestamp, format)),
  ])
  .catch("");

/** Keeps the words around the first date of the format; further date tokens add nothing to the exact time. */
const dateText = (timestamp: number, format: string): string => {
  const instant = instantText(timestamp);
  const [before = "", ...rest] = format.split(/\{\w+\}/);
  return escaped(rest.length === 0 ? instant : `${before}${instant}${rest.join("")}`);
};

const instantText = (seconds: number): string => {
  const instant = new Date(seconds * 1_000);
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString();
};

/**
 * Whether rich text in `blocks` notifies the user; null if there is no rich text. A mention inside code is a
 * text element and notifies nobody.
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
