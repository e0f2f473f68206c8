/** Content as a message of components v2. Pure. Nothing in it can mention anybody, and links get no preview. */

import { ButtonStyle, ComponentType, MessageFlags } from "discord.js";
import type { Below, Content } from "../../../src/ports/surface.ts";
import { type Control, controlsOf } from "../../post/controls.ts";
import { messageKey } from "./message-key.ts";

const MAX_IN_ROW = 5;

/** `wire`: the key that the message carries. */
export const bodyOf = (content: Content, wire: string) => ({
  flags: MessageFlags.IsComponentsV2,
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

/** Characters of a plain message. */
export const MAX_PLAIN = 2_000;

/** The same as a plain message. Its key is on its buttons; without any it is known by its nonce alone. */
export const plainBodyOf = (content: Content, wire: string) => ({
  content: shown(content),
  flags: MessageFlags.SuppressEmbeds,
  allowed_mentions: { parse: [] },
  components: buttonRows(controlsOf(content.buttons)).map((row, index) => ({
    ...row,
    ...(index === 0 ? { id: messageKey(wire) } : {}),
  })),
});

/** What stands on a button of ours, read back by whoever handles a click. */
const customIdOf = ({ action, value }: Control): string => `parley_${action}:${value}`;

/** The host's words stand at the head, and in small print (TH6). */
const shown = ({ tone, lead = "", text, plain, below = [] }: Content): string => {
  // A backtick could end the code: what looks like one cannot.
  const said = plain === true ? `\`\`\`\n${text.replaceAll("`", "ˋ")}\n\`\`\`` : text;
  const parts = [tone === "status" ? small(lead) : lead, said, ...below.map(lower)];
  return parts.filter((part) => part !== "").join("\n");
};

/** What can be folded away has no place here: Steps shows it. */
const lower = (one: Below): string => {
  switch (one.kind) {
    case "host":
      return small(one.text);
    case "text":
      return one.text;
    case "steps":
      return "";
  }
};

export const small = (text: string): string => text.replaceAll(/^(?=.)/gm, "-# ");

/** As many as fit stand in a row. */
export const buttonRows = (buttons: readonly Control[]) =>
  Array.from({ length: Math.ceil(buttons.length / MAX_IN_ROW) }, (_, row) => ({
    type: ComponentType.ActionRow,
    components: buttons.slice(row * MAX_IN_ROW, (row + 1) * MAX_IN_ROW).map(button),
  }));

/** The question of a press that wants to say why it denies; null for any other. */
export const reasonedOf = (pressed: string): string | null => {
  const [, question = null] = /^parley_deny_comment:(.+)$/.exec(pressed) ?? [];
  return question;
};

const button = (one: Control) => ({
  type: ComponentType.Button,
  style: styleOf(one.action),
  label: one.label,
  custom_id: customIdOf(one),
});

const styleOf = (action: string): ButtonStyle => {
  if (action === "approve") return ButtonStyle.Success;
  return action === "stop" ? ButtonStyle.Danger : ButtonStyle.Secondary;
};
