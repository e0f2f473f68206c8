/** Content as Slack's blocks. Pure. Model text is in Markdown blocks alone; the host's words are in blocks of their own. */

import type { types } from "@slack/bolt";
import type { Content } from "../../../src/ports/surface.ts";
import { type Control, controlsOf } from "../../post/controls.ts";
import { escaped } from "./markup.ts";
import { partsOf } from "./table.ts";

/** Characters of the text that notifications and screen readers get. */
const MAX_FALLBACK = 300;
/** Of a section's or a context's text. */
const MAX_LEAD = 3_000;

export const blocksOf = ({ tone, lead, text, plain, buttons }: Content): types.KnownBlock[] => {
  const said = text === "" ? [] : plain === true ? [asWritten(text)] : read(text);
  const host =
    lead === undefined
      ? []
      : [
          tone === "footer" || tone === "status"
            ? small(lead)
            : { ...section(clipped(lead, MAX_LEAD)), expand: true },
        ];
  // Progress grows upwards from its line and its button, which stay where they are.
  const order = tone === "status" ? [...said, ...host] : [...host, ...said];
  return [...order, ...buttonRow(controlsOf(buttons))];
};

/** Names in the host's words stay names; model text is escaped. */
export const fallbackOf = ({ lead, text }: Content): string =>
  clipped(
    [...(lead === undefined ? [] : [lead]), ...(text === "" ? [] : [escaped(text)])].join("\n"),
    MAX_FALLBACK,
  );

const read = (text: string): readonly types.KnownBlock[] =>
  partsOf(text).map((part) => (part.kind === "text" ? markdown(part.text) : part.block));

/** As code, with nothing in it that Slack could take for a mention or a link. */
const asWritten = (text: string): types.RichTextBlock => ({
  type: "rich_text",
  elements: [
    {
      type: "rich_text_preformatted",
      elements: [{ type: "text", text: text.replaceAll(/<(?=[@#!h])/gi, "<\u200b") }],
    },
  ],
});

const markdown = (text: string): types.MarkdownBlock => ({ type: "markdown", text });

/** The host's own words, in Slack's markup. */
export const section = (text: string): types.SectionBlock => ({
  type: "section",
  text: { type: "mrkdwn", text, verbatim: true },
});

/** None where there are no buttons. */
export const buttonRow = (buttons: readonly Control[]): readonly types.ActionsBlock[] =>
  buttons.length === 0 ? [] : [{ type: "actions", elements: buttons.map(control) }];

const small = (text: string): types.ContextBlock => ({
  type: "context",
  elements: [{ type: "mrkdwn", text: clipped(text, MAX_LEAD), verbatim: true }],
});

const control = ({ action, label, value }: Control): types.Button => ({
  type: "button",
  action_id: `parley_${action}`,
  text: { type: "plain_text", text: label },
  value,
  ...(action === "approve" ? { style: "primary" } : action === "stop" ? { style: "danger" } : {}),
});

/** Cut before a mark of Slack's would be cut through. */
const clipped = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const start = text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "");
  return `${start.replace(/[<&][^>;]*$/, "")}…`;
};
