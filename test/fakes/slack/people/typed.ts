/**
 * A person's message as Slack's client sends it: `text` in Slack's markup, and the same words as rich text in `blocks`
 * (WS6). Pure. Tests write the markup; marks that name nothing are plain characters.
 */

import type { types } from "@slack/bolt";

export interface Typed {
  readonly text: string;
  /** Empty for a message without words. */
  readonly blocks: readonly types.RichTextBlock[];
}

export const typed = (words: string): Typed => {
  const parts = partsOf(words);
  return {
    text: parts.map(({ fence, line }) => (fence ? `\`\`\`${escaped(line)}\`\`\`` : marked(line))).join(""),
    blocks:
      words.trim() === ""
        ? []
        : [{ type: "rich_text", block_id: "typed", elements: parts.flatMap(elementsOf) }],
  };
};

/** Whether the message notifies the user: a mention inside code is a text element of its rich text. */
export const notifies = (
  { text, blocks = [] }: { readonly text: string; readonly blocks?: readonly object[] },
  user: string,
): boolean => {
  const rich = blocks.filter((block) => "type" in block && block.type === "rich_text");
  return rich.length === 0
    ? text.includes(`<@${user}>`)
    : JSON.stringify(rich).includes(`"user_id":"${user}"`);
};

interface Part {
  readonly fence: boolean;
  readonly line: string;
}

/** Fences and what is between them. */
const partsOf = (words: string): readonly Part[] => {
  const parts = words.split("```");
  const isClosed = parts.length % 2 === 1;
  const whole = isClosed ? parts : [words];
  return whole.map((line, at) => ({ fence: at % 2 === 1, line })).filter(({ line }) => line !== "");
};

const elementsOf = ({ fence, line }: Part): readonly types.RichTextBlockElement[] =>
  fence
    ? [
        {
          type: "rich_text_preformatted",
          elements: [{ type: "text", text: line.replace(/^\n/, "").replace(/\n$/, "") }],
        },
      ]
    : stretchesOf(line.split("\n"))
        .map(({ kind, lines }) => elementOf(kind, lines))
        // A fence stands on lines of its own.
        .filter(({ elements }) => elements.length > 0);

type Kind = "words" | "quote" | `list ${"bullet" | "ordered"} ${number}`;

interface Stretch {
  readonly kind: Kind;
  readonly lines: readonly string[];
}

/** Neighboring lines of one kind. */
const stretchesOf = (lines: readonly string[]): readonly Stretch[] =>
  lines.reduce<readonly Stretch[]>((before, line) => {
    const kind = kindOf(line);
    const last = before.at(-1);
    return last?.kind === kind
      ? [...before.slice(0, -1), { kind, lines: [...last.lines, line] }]
      : [...before, { kind, lines: [line] }];
  }, []);

const ITEM = /^((?: {4})*)(?:[•◦▪]|(\d+)\.) +/;

const kindOf = (line: string): Kind => {
  const item = ITEM.exec(line);
  if (item !== null) {
    return `list ${item[2] === undefined ? "bullet" : "ordered"} ${(item[1] ?? "").length / 4}`;
  }
  return /^(?:>|&gt;)/.test(line) ? "quote" : "words";
};

const elementOf = (kind: Kind, lines: readonly string[]): types.RichTextBlockElement => {
  if (kind === "words") return { type: "rich_text_section", elements: inline(lines.join("\n"), {}) };
  if (kind === "quote") {
    return {
      type: "rich_text_quote",
      elements: inline(lines.map((line) => line.replace(/^(?:>|&gt;) ?/, "")).join("\n"), {}),
    };
  }
  const [, style, indent] = kind.split(" ");
  const first = Number(ITEM.exec(lines[0] ?? "")?.[2] ?? 1);
  return {
    type: "rich_text_list",
    style: style === "ordered" ? "ordered" : "bullet",
    indent: Number(indent),
    border: 0,
    // The declarations lack it.
    ...(first > 1 ? { offset: first - 1 } : {}),
    elements: lines.map((line) => ({
      type: "rich_text_section",
      elements: inline(line.replace(ITEM, ""), {}),
    })),
  };
};

type Style = NonNullable<types.RichTextText["style"]>;

/** Code, what is between angle brackets, addresses, emoji, colors, and what is emphasized. */
const TOKENS =
  /`(?<code>[^`\n]+)`|<(?<markup>(?:[@#][A-Z]|!|https?:|mailto:)[^<>\n]*)>|(?<url>https?:\/\/[^\s<>|`)*]+)|(?<![\p{L}\p{N}]):(?<emoji>[a-z_+][\w+'-]*):(?![\p{L}\p{N}])|(?<color>#[\dA-Fa-f]{6})\b|(?<![\p{L}\p{N}])(?<mark>[*_~])(?=\S)(?<inner>[^*_~\n]*[^*_~\s])\k<mark>(?![\p{L}\p{N}])/gu;

const STYLES: Readonly<Record<string, Style>> = {
  "*": { bold: true },
  _: { italic: true },
  "~": { strike: true },
};

const inline = (words: string, style: Style): types.RichTextElement[] => {
  const styled = Object.keys(style).length === 0 ? {} : { style };
  const text = (part: string): types.RichTextElement[] =>
    part === "" ? [] : [{ type: "text", text: unescaped(part), ...styled }];
  const found: types.RichTextElement[] = [];
  let from = 0;
  for (const match of words.matchAll(TOKENS)) {
    const { code, markup, url, emoji, color, mark, inner } = match.groups ?? {};
    found.push(...text(words.slice(from, match.index)));
    from = match.index + match[0].length;
    if (code !== undefined)
      found.push({ type: "text", text: unescaped(code), style: { ...style, code: true } });
    else if (markup !== undefined) found.push({ ...markupElement(markup), ...styled });
    else if (url !== undefined) found.push({ type: "link", url: unescaped(url), ...styled });
    else if (emoji !== undefined) found.push({ type: "emoji", name: emoji, ...styled });
    else if (color !== undefined) found.push({ type: "color", value: color, ...styled });
    else found.push(...inline(inner ?? "", { ...style, ...STYLES[mark ?? ""] }));
  }
  return [...found, ...text(words.slice(from))];
};

const markupElement = (markup: string): types.RichTextElement => {
  const [target = "", label] = markup.split("|");
  const id = target.slice(1);
  if (target.startsWith("@")) return { type: "user", user_id: id };
  if (target.startsWith("#")) return { type: "channel", channel_id: id };
  if (!target.startsWith("!")) {
    return {
      type: "link",
      url: unescaped(target),
      ...(label === undefined ? {} : { text: unescaped(label) }),
    };
  }
  const [kind, first = "", format = "", url] = id.split("^");
  if (kind === "subteam") return { type: "usergroup", usergroup_id: first };
  if (kind === "date") {
    const more = {
      ...(url === undefined ? {} : { url }),
      ...(label === undefined ? {} : { fallback: label }),
    };
    return { type: "date", timestamp: Number(first), format, ...more };
  }
  return { type: "broadcast", range: kind === "here" || kind === "everyone" ? kind : "channel" };
};

/** Slack escapes what is no markup, and puts addresses between angle brackets. */
const marked = (words: string): string => {
  let text = "";
  let from = 0;
  for (const match of words.matchAll(
    /`[^`\n]+`|<(?:[@#][A-Z]|!|https?:|mailto:)[^<>\n]*>|https?:\/\/[^\s<>|`)*]+/gu,
  )) {
    text += escaped(words.slice(from, match.index));
    from = match.index + match[0].length;
    text += match[0].startsWith("<")
      ? match[0]
      : match[0].startsWith("`")
        ? escaped(match[0])
        : `<${escaped(match[0])}>`;
  }
  return text + escaped(words.slice(from));
};

const escaped = (words: string): string =>
  words
    .replaceAll(/&(?!(?:amp|lt|gt);)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const unescaped = (words: string): string =>
  words.replaceAll(/&(?:lt|gt|amp);/g, (one) => ENTITIES[one] ?? one);
