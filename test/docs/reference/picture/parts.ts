/** The payloads of both platforms as the parts that a picture draws. Pure; an unknown block or component is an error. */

import { z } from "zod";

export interface Button {
  readonly label: string;
  /** As the platform names it: `primary` is the color of *Approve*. */
  readonly style: "primary" | "plain";
}

export type Part =
  | { readonly kind: "text" | "small" | "quote"; readonly lines: readonly string[] }
  | { readonly kind: "code"; readonly lines: readonly string[]; readonly isDiff: boolean }
  | { readonly kind: "plan"; readonly title: string }
  | { readonly kind: "buttons"; readonly buttons: readonly Button[] };

const messagesSchema = z.array(z.object({ who: z.string(), text: z.string(), parts: z.array(z.unknown()) }));

export interface Message {
  readonly who: string;
  readonly parts: readonly Part[];
}

export const slackMessages = (json: string): readonly Message[] =>
  messagesSchema.parse(JSON.parse(json)).map(({ who, text, parts }) => ({
    who,
    parts: [...markdownParts(text), ...parts.flatMap((block) => blockParts(blockSchema.parse(block)))],
  }));

export const discordMessages = (json: string): readonly Message[] =>
  messagesSchema.parse(JSON.parse(json)).map(({ who, text, parts }) => ({
    who,
    parts: [...markdownParts(text), ...parts.map((row) => rowPart(rowSchema.parse(row)))],
  }));

const words = z.object({ text: z.string() });
const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("section"), text: words }),
  z.object({ type: z.literal("markdown"), text: z.string() }),
  z.object({ type: z.literal("context"), elements: z.array(words) }),
  z.object({ type: z.literal("plan"), title: z.string() }),
  z.object({
    type: z.literal("actions"),
    elements: z.array(z.object({ text: words, style: z.literal("primary").optional() })),
  }),
  z.object({
    type: z.literal("context_actions"),
    elements: z.array(
      z.object({ positive_button: z.object({ text: words }), negative_button: z.object({ text: words }) }),
    ),
  }),
]);

const blockParts = (block: z.infer<typeof blockSchema>): readonly Part[] => {
  switch (block.type) {
    case "section":
      return [{ kind: "text", lines: block.text.text.split("\n") }];
    case "markdown":
      return markdownParts(block.text);
    case "context":
      return [{ kind: "small", lines: block.elements.flatMap(({ text }) => text.split("\n")) }];
    case "plan":
      return [{ kind: "plan", title: block.title }];
    case "actions":
      return [
        {
          kind: "buttons",
          buttons: block.elements.map(
            ({ text, style }): Button => ({ label: text.text, style: style ?? "plain" }),
          ),
        },
      ];
    case "context_actions":
      return block.elements.map(({ positive_button: up, negative_button: down }) => ({
        kind: "buttons",
        buttons: [up, down].map(({ text }): Button => ({ label: text.text, style: "plain" })),
      }));
  }
};

/** Discord's numbers of a row, of a button and of a green button. */
const rowSchema = z.object({
  type: z.literal(1),
  components: z.array(z.object({ type: z.literal(2), style: z.number(), label: z.string() })),
});
const GREEN = 3;

const rowPart = ({ components }: z.infer<typeof rowSchema>): Part => ({
  kind: "buttons",
  buttons: components.map(({ label, style }) => ({ label, style: style === GREEN ? "primary" : "plain" })),
});

const KINDS = [
  ["quote", "> "],
  ["small", "-# "],
] as const;

/** Paragraphs, quotes, small lines and fences. */
const markdownParts = (text: string): readonly Part[] => {
  const parts: Part[] = [];
  let fence: { lines: string[]; isDiff: boolean } | null = null;
  for (const line of text.split("\n")) {
    if (fence !== null && line.startsWith("```")) {
      parts.push({ kind: "code", ...fence });
      fence = null;
    } else if (fence !== null) fence.lines.push(line);
    else if (line.startsWith("```")) fence = { lines: [], isDiff: line === "```diff" };
    else if (line !== "") parts.push(lineOf(line));
  }
  return parts.reduce<readonly Part[]>(joined, []);
};

const lineOf = (line: string): Part => {
  const [kind, mark] = KINDS.find(([, begin]) => line.startsWith(begin.trim())) ?? ["text", ""];
  return { kind, lines: [line.slice(mark.length)] };
};

/** Lines of one kind that follow each other are one part. */
const joined = (parts: readonly Part[], part: Part): readonly Part[] => {
  const last = parts.at(-1);
  return last !== undefined && last.kind === part.kind && part.kind === "quote" && last.kind === "quote"
    ? [...parts.slice(0, -1), { kind: "quote", lines: [...last.lines, ...part.lines] }]
    : [...parts, part];
};
