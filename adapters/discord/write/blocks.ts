/** Content as a message of components v2. Pure. Nothing in it can mention anybody, and links get no preview. */

import { ButtonStyle, ComponentType, MessageFlags } from "discord.js";
import type { Button, Content } from "../../../src/ports/surface.ts";
import { messageKey } from "./message-key.ts";

const MAX_IN_ROW = 5;

/** `wire`: the key that the message carries. */
export const bodyOf = (content: Content, wire: string) => ({
  flags: MessageFlags.IsComponentsV2,
  allowed_mentions: { parse: [] },
  components: [
    { type: ComponentType.TextDisplay, id: messageKey(wire), content: shown(content) },
    // A file that no component names is not shown.
    ...(content.file === undefined
      ? []
      : [{ type: ComponentType.File, file: { url: `attachment://${content.file.name}` } }]),
    ...rowsOf(content.buttons).map((row) => ({ type: ComponentType.ActionRow, components: row })),
  ],
});

/** Characters of a plain message. */
export const MAX_PLAIN = 2_000;

/** The same as a plain message. Its key is on its buttons; without any it is known by its nonce alone. */
export const plainBodyOf = (content: Content, wire: string) => ({
  content: shown(content),
  flags: MessageFlags.SuppressEmbeds,
  allowed_mentions: { parse: [] },
  components: rowsOf(content.buttons).map((row, index) => ({
    type: ComponentType.ActionRow,
    ...(index === 0 ? { id: messageKey(wire) } : {}),
    components: row,
  })),
});

/** What stands on a button of ours, read back by whoever handles a click. */
export const customIdOf = ({ action, value }: { readonly action: string; readonly value: string }): string =>
  `parley_${action}:${value}`;

/** The host's words first; in small print what accompanies the conversation. */
const shown = ({ tone, lead, text, plain }: Content): string => {
  // A backtick could end the code: what looks like one cannot.
  const said = plain === true ? `\`\`\`\n${text.replaceAll("`", "ˋ")}\n\`\`\`` : text;
  const isSmall = tone === "footer" || tone === "status";
  const host = lead !== undefined && isSmall ? lead.replaceAll(/^(?=.)/gm, "-# ") : (lead ?? "");
  return [host, said].filter((part) => part !== "").join(tone === "question" ? "\n\n" : "\n");
};

const rowsOf = (buttons: readonly Button[]): readonly (readonly object[])[] => {
  const all = buttons.flatMap(controls).map(button);
  return Array.from({ length: Math.ceil(all.length / MAX_IN_ROW) }, (_, row) =>
    all.slice(row * MAX_IN_ROW, (row + 1) * MAX_IN_ROW),
  );
};

/** A no may come with words, for which a form is opened. */
const controls = (one: Button): readonly Control[] =>
  one.action === "deny"
    ? [one, { action: DENY_WITH_REASON, label: "Deny, and say why", value: one.value }]
    : [one];

interface Control {
  readonly action: string;
  readonly label: string;
  readonly value: string;
}

const DENY_WITH_REASON = "deny_comment";

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
