/**
 * Builds components v2 messages from content. Pure. The message mentions nobody, and links get no preview.
 */

import { ButtonStyle, ComponentType, MessageFlags } from "discord-api-types/v10";
import type { Below, Content } from "../../../src/ports/surface.ts";
import { splitMarkdown } from "../../text/split.ts";
import { withinLimits } from "./limits.ts";
import { type ConsoleButton, controlsOf } from "../../post/controls.ts";
import { isMessageKey, messageKey } from "./message-key.ts";

const MAX_IN_ROW = 5;

const RICH: number = MessageFlags.IsComponentsV2;

const PLAIN: number = MessageFlags.SuppressEmbeds;

/** Builds a components v2 message. `wire`: key that the message carries. */
export const bodyOf = (content: Content, wire: string) => ({
  flags: RICH,
  allowed_mentions: { parse: [] },
  components: [
    { type: ComponentType.TextDisplay, id: messageKey(wire), content: shown(content) },
    // Discord hides files that no component names.
    ...(content.files ?? []).map(({ name }) => ({
      type: ComponentType.File,
      file: { url: `attachment://${name}` },
    })),
    ...buttonRows(controlsOf(content.buttons)),
  ],
});

const MAX_PLAIN = 2_000;

export const fitsPlain = (content: Content): boolean => shown(content).length <= MAX_PLAIN;

/** Returns the part that fits into a plain message, with the buttons. */
export const beginningOf = (content: Content): Content => {
  if (fitsPlain(content)) return content;
  const max = MAX_PLAIN - (content.lead ?? "").length - ROOM;
  const [text = ""] = splitMarkdown(content.text, { units: "utf16", max: Math.max(ROOM, max) });
  return { ...content, text, below: [] };
};

/** Space for text around the content. */
const ROOM = 100;

/**
 * Builds a plain message. Its buttons carry the key; without buttons only the nonce identifies the message.
 */
export const plainBodyOf = (content: Content, wire: string) => ({
  content: shown(content),
  flags: PLAIN,
  allowed_mentions: { parse: [] },
  components: buttonRows(controlsOf(content.buttons), messageKey(wire)).map((row, index) => ({
    ...row,
    ...(index === 0 ? { id: messageKey(wire) } : {}),
  })),
});

/**
 * Returns the mark of a message that was read back: from its first component, otherwise from its Steps
 * button, because Discord may omit the number of a plain message's row. 0 if there is no mark.
 */
export const formattingMarkOf = (components: readonly Marked[]): number => {
  const [first] = components;
  if (first?.id !== undefined && isMessageKey(first.id)) return first.id;
  const buttons = components.flatMap(({ components: row = [] }) => row);
  return Number(buttons.map(({ custom_id: id = "" }) => /~(\d+)$/.exec(id)?.[1]).find(Boolean) ?? 0);
};

interface Marked {
  readonly id?: number;
  readonly components?: readonly { readonly custom_id?: string }[];
}

/** Id of one of Parley's buttons, which the click handler parses. */
const customIdOf = ({ action, value }: ConsoleButton, mark: number | null): string =>
  `parley_${action}:${value}${action === "steps" && mark !== null ? `~${mark}` : ""}`;

/** Text of the message. The host's own sentences come first, in small print for a status (TH6). */
const shown = ({ tone, lead = "", text, plain, below = [] }: Content): string => {
  // A backtick could end the code block, so a lookalike replaces it.
  const said = plain === true ? `\`\`\`\n${text.replaceAll("`", "ˋ")}\n\`\`\`` : text;
  const host = tone === "status" ? smallText(lead) : lead;
  const after = below.map(lower).filter((part) => part !== "");
  const shownText = plain === true ? said : withinLimits(said, after.join("\n"));
  return [host, shownText, ...after].filter((part) => part !== "").join("\n");
};

/** Folded parts are omitted here; *Steps* displays them. */
const lower = (one: Below): string => {
  switch (one.kind) {
    case "host":
      return smallText(one.text);
    case "text":
      return withinLimits(one.text, "");
    case "steps":
      return "";
  }
};

export const smallText = (text: string): string => text.replaceAll(/^(?=.)/gm, "-# ");

export const buttonRows = (buttons: readonly ConsoleButton[], mark: number | null = null) =>
  Array.from({ length: Math.ceil(buttons.length / MAX_IN_ROW) }, (_, row) => ({
    type: ComponentType.ActionRow,
    components: buttons.slice(row * MAX_IN_ROW, (row + 1) * MAX_IN_ROW).map((one) => button(one, mark)),
  }));

const button = (one: ConsoleButton, mark: number | null) => ({
  type: ComponentType.Button,
  style: one.first === undefined ? styleOf(one.action) : ButtonStyle.Secondary,
  label: one.label,
  custom_id: customIdOf(one, mark),
});

const styleOf = (action: string): ButtonStyle => {
  if (action === "approve" || action === "apply" || action === "send") return ButtonStyle.Success;
  return action === "stop" ? ButtonStyle.Danger : ButtonStyle.Secondary;
};
