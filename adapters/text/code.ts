/**
 * Code in model text, which remains unchanged except for characters that a platform interprets even there.
 * Pure.
 */

import { defang } from "./address.ts";
import { codePointName, showAll } from "../../src/text/invisible.ts";

/**
 * Neutralizes a line of a fence. Changed are: turns of the writing direction (named), other invisible
 * characters (removed), runs of three or more backticks (Discord ends a fence at any of them), Slack's
 * control sequences (`<@U1>`, `<!here>`, `<#C1>`, `<url|label>`; Slack reads them before code), and invites.
 */
export const codeLine = (text: string): string =>
  defang(showAll(text, codePointName))
    .replaceAll(/`{3,}/g, (run) => run.split("").join(BREAK))
    .replaceAll(CONTROL_SEQUENCE, `<${BREAK}`);

/**
 * Returns a code span of one line. Null if it is empty, or if a platform could read its content as text (too
 * long, cut by a table).
 */
export const codeSpan = (content: string): string | null => {
  if (content.length > MAX_SPAN || (content.includes("|") && HARMFUL.test(content))) return null;
  const inner = codeLine(content.replaceAll(/`(?=`)/g, "` "));
  if (inner === "") return null;
  if (!inner.includes("`")) return `\`${inner}\``;
  const pad = inner.startsWith("`") || inner.endsWith("`") ? " " : "";
  return `\`\`${pad}${inner}${pad}\`\``;
};

/** Shorter than any piece, so that a split never goes through a span. */
const MAX_SPAN = 300;

/** A zero-width space, which prevents platforms from reading two characters as one token. */
export const BREAK = "\u200b";

const CONTROL_SEQUENCE = /<(?=[@#!][^\s<>]*>|https?:[^\s<>]*\|)/gi;

const HARMFUL = /\]\(|:\/\/|<[@!#a-z]|@(?:everyone|here|channel|group)/i;
