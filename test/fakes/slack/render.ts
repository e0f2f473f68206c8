/**
 * A thread as a person would read it, for snapshots: who said what, which buttons stand below it, what
 * was edited, who reacted. Times and ids are left out, so that the text of two equal threads is equal.
 */

import { z } from "zod";
import { childrenOf, within } from "./people/content.ts";
import { app, type Ephemeral, type Json, type Message, type World } from "./world.ts";

export const threadAsText = (world: World, channel: string, root: string): string =>
  inOrder(seenIn(world, channel, root));

interface Line {
  readonly ts: string;
  readonly text: string;
}

const seenIn = (world: World, channel: string, root: string): readonly Line[] => [
  ...world.thread(channel, root).map((message) => ({ ts: message.ts, text: messageAsText(world, message) })),
  ...world.ephemerals
    .filter((one) => one.channel === channel && one.threadTs === root)
    .map((one) => ({ ts: one.ts, text: ephemeralAsText(world, one) })),
];

const inOrder = (lines: readonly Line[]): string =>
  lines
    .toSorted((a, b) => Number(a.ts) - Number(b.ts))
    .map(({ text }) => `${text}\n`)
    .join("");

/** The same with what people clicked, at the time when they did. */
export const storyAsText = (world: World, channel: string, root: string): string =>
  inOrder([
    ...seenIn(world, channel, root),
    ...world.deeds
      .filter((one) => one.channel === channel && one.threadTs === root)
      .map(({ ts, user, what }) => ({ ts, text: `[${person(world, user)} ${what}]` })),
  ]);

export const messageAsText = (world: World, message: Message): string =>
  [
    `--- from: ${author(world, message)}${marks(message)}`,
    ...contentLines(world, message),
    ...(message.attachments ?? []).flatMap(sharedLines),
    ...message.files.map((id) => fileLine(world, id)),
    ...message.reactions.map(
      ({ name, users }) => `:${name}: ${users.map((id) => person(world, id)).join(" ")}`,
    ),
  ].join("\n");

/** A message that is forwarded. */
const sharedLines = (attachment: Json): readonly string[] => {
  const { data } = shared.safeParse(attachment);
  if (data === undefined) return [];
  return [`> (from ${data.author_name}) ${data.text}`, ...data.files.map(({ name }) => `> [file ${name}]`)];
};

const shared = z.object({
  is_share: z.literal(true),
  author_name: z.string(),
  text: z.string(),
  files: z.array(z.object({ name: z.string() })).default([]),
});

export const ephemeralAsText = (world: World, message: Ephemeral): string =>
  [
    `--- from: ${app.name} (bot), only to ${person(world, message.for)}`,
    ...contentLines(world, message),
  ].join("\n");

/** A modal, under its title. */
export const viewAsText = (world: World, view: Json): string => {
  const { title, blocks } = z
    .object({ title: z.object({ text: z.string() }), blocks: z.array(z.record(z.string(), z.unknown())) })
    .parse(view);
  return [`--- window: ${title.text}`, ...contentLines(world, { text: "", blocks })].join("\n");
};

const author = (world: World, { user, botId }: Message): string =>
  botId === undefined
    ? person(world, user)
    : `${botId === app.bot ? app.name : botId.replace(/^B0/, "").toLowerCase()} (bot)`;

const person = (world: World, id: string): string => `@${world.users.get(id)?.name ?? id}`;

const marks = (message: Message): string =>
  `${message.edited === undefined ? "" : " (edited)"}${message.stream === "in_progress" ? " (streaming)" : ""}`;

const fileLine = (world: World, id: string): string => {
  const file = world.files.get(id);
  return file === undefined ? "file: deleted" : `file: ${file.title} (${file.size} bytes)`;
};

/** Blocks are what people see; the text is only for notifications then. Mentions read as names. */
const contentLines = (
  world: World,
  { text, blocks }: Pick<Message, "text" | "blocks">,
): readonly string[] => {
  const lines = blocks === undefined ? (text === "" ? [] : [text]) : blocks.flatMap(blockLines);
  return lines.map((line) =>
    line.replaceAll(/<@(U[A-Z0-9]+)>/g, (_mention, id: string) => person(world, id)),
  );
};

const blockLines = (block: Json): readonly string[] => {
  const controls = controlsIn(block).map(controlLabel);
  const words = ownWords(block);
  return [
    ...(block["type"] === "divider" ? ["----"] : []),
    ...(words === undefined ? wordsIn(block) : [words]),
    ...(controls.length === 0 ? [] : [controls.join(" ")]),
  ];
};

/** Every text of a block but those on what can be pressed. */
const wordsIn = (node: Json): readonly string[] => {
  if (isControl(node)) {
    return [];
  }
  const text = node["text"];
  return [...(typeof text === "string" ? [text] : []), ...childrenOf(node).flatMap(wordsIn)];
};

/** Blocks whose words do not stand in text objects. */
const ownWords = (block: Json): string | undefined => {
  switch (block["type"]) {
    case "image":
      return `image: ${String(block["alt_text"])}`;
    case "plan":
      return [`plan: ${String(block["title"])}`, ...planRows(block).map((row) => `>> ${row}`)].join("\n");
    case "task_card":
      return `task: ${String(block["title"])} (${String(block["status"])})`;
    case "rich_text":
      return childrenOf(block).map(richPart).join("\n");
    case "table": {
      const rows = z.array(z.array(z.record(z.string(), z.unknown()))).parse(block["rows"]);
      return rows.map((row) => `| ${row.map((cell) => wordsIn(cell).join("")).join(" | ")} |`).join("\n");
    }
    case "context": {
      const parts = z.array(z.object({ text: z.string() })).safeParse(block["elements"]);
      return parts.success ? parts.data.map(({ text }) => text).join(" · ") : undefined;
    }
    default:
      return undefined;
  }
};

/** As the same looks in a block of Markdown. */
const richPart = (part: Json): string => {
  switch (part["type"]) {
    case "rich_text_preformatted":
      return `\`\`\`\n${wordsIn(part).join("")}\n\`\`\``;
    case "rich_text_quote":
      return richWords(part)
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n");
    case "rich_text_list": {
      const indent = "  ".repeat(Number(part["indent"] ?? 0));
      const marks = childrenOf(part).map((_, at) => (part["style"] === "ordered" ? `${at + 1}.` : "-"));
      return childrenOf(part)
        .map((item, at) => `${indent}${marks[at] ?? "-"} ${richWords(item)}`)
        .join("\n");
    }
    default:
      return richWords(part);
  }
};

const richWords = (part: Json): string => childrenOf(part).map(richWord).join("");

const richElement = z.object({
  text: z.string().optional(),
  url: z.string().optional(),
  style: z.object({ code: z.boolean().optional(), bold: z.boolean().optional() }).optional(),
});

const richWord = (element: Json): string => {
  const read = richElement.safeParse(element).data;
  const text = read?.text ?? wordsIn(element).join("");
  if (read?.url !== undefined) return `[${text}](${read.url})`;
  if (read?.style?.code === true) return `\`${text}\``;
  return read?.style?.bold === true ? `**${text}**` : text;
};

/** What is folded until somebody opens it. */
const planRows = (block: Json): readonly string[] =>
  z
    .array(z.record(z.string(), z.unknown()))
    .parse(block["tasks"] ?? [])
    .map((task) => [String(task["title"]), ...wordsIn(task)].join(" · "));

const controlTypes = new Set([
  "button",
  "overflow",
  "static_select",
  "workflow_button",
  "icon_button",
  "feedback_buttons",
]);

/** Something a person can click or choose from. */
const isControl = (node: Json): boolean => controlTypes.has(String(node["type"]));

/** Those of a block; of feedback buttons each, as its press is told of. */
export const controlsIn = (block: Json): readonly Json[] =>
  within(block)
    .filter(isControl)
    .flatMap((node) => {
      const both = feedbackButtons.safeParse(node);
      if (!both.success) return [node];
      const { type, action_id, positive_button, negative_button } = both.data;
      return [positive_button, negative_button].map(({ text, value }) => ({ type, action_id, text, value }));
    });

const feedbackButton = z.object({ text: z.record(z.string(), z.unknown()), value: z.string() });
const feedbackButtons = z.object({
  type: z.literal("feedback_buttons"),
  action_id: z.string().optional(),
  positive_button: feedbackButton,
  negative_button: feedbackButton,
});

const controlLabel = (control: Json): string => {
  const options = optionLabels(control);
  return options.length > 0
    ? `[${options.join(" | ")}]`
    : `[${labelOf(control) ?? String(control["action_id"])}]`;
};

const textObject = z.object({ text: z.object({ text: z.string() }) });

/** The words on a button or an option. */
export const labelOf = (control: Json): string | undefined => {
  const parsed = textObject.safeParse(control);
  return parsed.success ? parsed.data.text.text : undefined;
};

const optionLabels = (control: Json): readonly string[] => {
  const parsed = z.object({ options: z.array(textObject) }).safeParse(control);
  return parsed.success ? parsed.data.options.map(({ text }) => text.text) : [];
};
