/** Content as Slack's blocks. Pure. Nothing in it can mention anybody: the text for notifications is escaped. */

import type { types } from "@slack/bolt";
import type { Button, Content } from "../../src/runtime/ports-surface.ts";

/** Characters of the text that notifications and screen readers get. */
const MAX_FALLBACK = 300;

export const blocksOf = ({ tone, text, buttons }: Content): types.KnownBlock[] => [
  tone === "footer" || tone === "status"
    ? { type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] }
    : { type: "markdown", text },
  ...(buttons.length === 0 ? [] : [{ type: "actions" as const, elements: buttons.map(button) }]),
];

export const fallbackOf = ({ text }: Content): string => escaped(text.slice(0, MAX_FALLBACK));

/** So that Slack reads no mention, channel or link in it. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const button = ({ action, label, value }: Button): types.Button => ({
  type: "button",
  action_id: `parley_${action}`,
  text: { type: "plain_text", text: label },
  value,
  ...(action === "approve" ? { style: "primary" } : action === "stop" ? { style: "danger" } : {}),
});
