/** Slack's text as plain text: what a person read on the screen. Pure. */

import { withoutBlankEnds } from "../../../src/text/trim-end.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/** Names of ids in text; null for an id that stays one. */
export interface SlackNames {
  readonly user: (id: string) => string | null;
  readonly channel: (id: string) => string | null;
  readonly group: (id: string) => string | null;
}

const nameless = (): null => null;
/** The labels that Slack sent along, and ids if there are none. */
export const NO_NAMES: SlackNames = { user: nameless, channel: nameless, group: nameless };
const same = (id: string): string => id;
/** As commands read it: `@U1`, `#C1`, `@S1`. */
export const IDS: SlackNames = { user: same, channel: same, group: same };

/** `without`: the user whose mentions are left out. */
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

/** Slack shows the name that an id has now, whatever the label says. */
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

/** `here`, `subteam^S1`, `date^SECONDS^FORMAT^LINK`. */
const special = (inner: string, label: string, names: SlackNames): string => {
  const [kind = "", first = "", format = "", link = ""] = inner.split("^");
  if (kind === "subteam") return `@${names.group(first) ?? (label === "" ? first : label.replace(/^@/, ""))}`;
  if (kind !== "date") return `@${kind}`;
  const shown = dateText(Number(first), format) ?? label;
  return link === "" ? shown : `${shown} (${link})`;
};

/** People see the date in their own time zone; null for a time that is none. */
const dateText = (seconds: number, format: string): string | null => {
  const date = new Date(seconds * 1_000);
  if (Number.isNaN(date.getTime())) return null;
  const [day = "", time = ""] = date.toISOString().split("T");
  const shown = format.replaceAll(/\{(date|time|ago)[a-z_]*\}/g, (_token, kind: string) =>
    kind === "time" ? `${time.slice(0, 5)} UTC` : day,
  );
  return shown === "" ? `${day} ${time.slice(0, 5)} UTC` : shown;
};

/** Slack puts a scheme before words that look like a host or an address. The author wrote the label. */
const AUTOLINK = /^(?:https?:\/\/|mailto:|tel:)/i;
