/** Converts Slack's markup to the plain text that people see. Pure. */

import { withoutBlankEnds } from "../../../src/text/trim-end.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/** Names for ids in text; null if the id remains. */
export interface SlackNames {
  readonly user: (id: string) => string | null;
  readonly channel: (id: string) => string | null;
  readonly group: (id: string) => string | null;
}

const nameless = (): null => null;
/** Uses the labels in Slack's text, and ids if there are none. */
export const NO_NAMES: SlackNames = { user: nameless, channel: nameless, group: nameless };
const same = (id: string): string => id;
/** Keeps ids for commands: `@U1`, `#C1`, `@S1`. */
export const IDS: SlackNames = { user: same, channel: same, group: same };

/** `without`: the user whose mentions are removed. */
export const slackPlainText = (text: string, without: string, names: SlackNames = NO_NAMES): string =>
  withoutBlankEnds(
    text
      .replaceAll(/<([^<>]*)>/g, (_all, inner: string) => written(inner, without, names))
      .replaceAll(/&(lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity),
  ).trim();

/** Whether the text of a message without rich text notifies the user; Slack ignores mentions inside code. */
export const mentionsUser = (text: string, user: string): boolean => {
  const outside = text
    .split("```")
    .filter((_part, index, all) => index % 2 === 0 || index === all.length - 1)
    .join(" ")
    .replaceAll(/`[^`\n]+`/g, " ");
  return outside.includes(`<@${user}>`) || outside.includes(`<@${user}|`);
};

/** Prefers the current name of an id to the label, as Slack's clients do. */
const written = (inner: string, without: string, names: SlackNames): string => {
  const bar = inner.indexOf("|");
  const [target, label] = bar === -1 ? [inner, ""] : [inner.slice(0, bar), inner.slice(bar + 1)];
  if (target === `@${without}`) return "";
  const id = target.slice(1);
  if (target.startsWith("@")) return `@${names.user(id) ?? (label === "" ? id : label.replace(/^@/, ""))}`;
  if (target.startsWith("#")) return `#${names.channel(id) ?? (label === "" ? id : label)}`;
  if (target.startsWith("!")) return special(id, label, names);
  if (label === "" || label === target) return target;
  return target.replace(AUTOLINK, "").replace(/\/$/, "") === label.replace(/\/$/, "")
    ? label
    : `${label} (${target})`;
};

/** Reads `here`, `subteam^S1` or `date^SECONDS^FORMAT^LINK`. */
const special = (inner: string, label: string, names: SlackNames): string => {
  const [kind = "", first = "", format = "", link = ""] = inner.split("^");
  if (kind === "subteam") return `@${names.group(first) ?? (label === "" ? first : label.replace(/^@/, ""))}`;
  if (kind !== "date") return `@${kind}`;
  const shown = dateText(Number(first), format) ?? label;
  return link === "" ? shown : `${shown} (${link})`;
};

/** Formats the date in UTC, because people see it in their own time zones; null for an invalid time. */
const dateText = (seconds: number, format: string): string | null => {
  const date = new Date(seconds * 1_000);
  if (Number.isNaN(date.getTime())) return null;
  const [day = "", time = ""] = date.toISOString().split("T");
  const shown = format.replaceAll(/\{(date|time|ago)[a-z_]*\}/g, (_token, kind: string) =>
    kind === "time" ? `${time.slice(0, 5)} UTC` : day,
  );
  return shown === "" ? `${day} ${time.slice(0, 5)} UTC` : shown;
};

/** Schemes that Slack adds to words that look like a host or an address. The author wrote only the label. */
const AUTOLINK = /^(?:https?:\/\/|mailto:|tel:)/i;
