/** Content as a message of components v2. Pure. Nothing in it can mention anybody, and links get no preview. */

import { ButtonStyle, ComponentType, MessageFlags } from "discord-api-types/v10";
import type { Below, Content } from "../../../src/ports/surface.ts";
import { splitMarkdown } from "../../text/split.ts";
import { withinLimits } from "./bounded.ts";
import { type ConsoleButton, controlsOf } from "../../post/controls.ts";
import { isMessageKey, messageKey } from "./message-key.ts";

const MAX_IN_ROW = 5;

const RICH: number = MessageFlags.IsComponentsV2;

const PLAIN: number = MessageFlags.SuppressEmbeds;

/** A message of components v2; `wire`: the key that it carries. */
export const bodyOf = (content: Content, wire: string) => ({
  flags: RICH,
  allowed_mentions: { parse: [] },
  components: [
    { type: ComponentType.TextDisplay, id: messageKey(wire), content: shown(content) },
    // A file that no component names is not shown.
    ...(content.files ?? []).map(({ name }) => ({
      type: ComponentType.File,
      file: { url: `attachment://${name}` },
    })),
    ...buttonRows(controlsOf(content.buttons)),
  ],
});

const MAX_PLAIN = 2_000;

export const fitsPlain = (content: Content): boolean => shown(content).length <= MAX_PLAIN;

/** What a plain message holds of it, with its buttons. */
export const beginningOf = (content: Content): Content => {
  if (fitsPlain(content)) return content;
  const max = MAX_PLAIN - (content.lead ?? "").length - ROOM;
  const [text = ""] = splitMarkdown(content.text, { units: "utf16", max: Math.max(ROOM, max) });
  return { ...content, text, below: [] };
};

/** For what is set around a text. */
const ROOM = 100;

/** A plain message. Its key is on its buttons; without any it is known by its nonce alone. */
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
 * The mark of a message as it was read back: of its first component, else of its steps, should Discord not tell the number of
 * a plain message's row. 0 where it has none.
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

/** What stands on a button of ours, read back by whoever handles a click. */
const customIdOf = ({ action, value }: ConsoleButton, mark: number | null): string =>
  `parley_${action}:${value}${action === "steps" && mark !== null ? `~${mark}` : ""}`;

/** The host's words stand at the head, and in small print (TH6). */
const shown = ({ tone, lead = "", text, plain, below = [] }: Content): string => {
  // A backtick could end the code: what looks like one cannot.
  const said = plain === true ? `\`\`\`\n${text.replaceAll("`", "ˋ")}\n\`\`\`` : text;
  const host = tone === "status" ? smallText(lead) : lead;
  const after = below.map(lower).filter((part) => part !== "");
  const shownText = plain === true ? said : withinLimits(said, after.join("\n"));
  return [host, shownText, ...after].filter((part) => part !== "").join("\n");
};

/** What can be folded away has no place here: Steps shows it. */
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
