/** Slack's text as plain text: what a person read on the screen. Pure. */

import { withoutBlankEnds } from "../../../src/text/trim-end.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/** `without`: the user whose mentions are left out. */
export const plainText = (text: string, without: string): string =>
  withoutBlankEnds(
    text
      .replaceAll(/<([^<>]*)>/g, (_all, inner: string) => written(inner, without))
      .replaceAll(/&(lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity),
  ).trim();

/** Whether the text of a message without rich text notifies the user; Slack ignores mentions inside code. */
export const mentions = (text: string, user: string): boolean => {
  const outside = text
    .split("```")
    .filter((_part, index, all) => index % 2 === 0 || index === all.length - 1)
    .join(" ")
    .replaceAll(/`[^`\n]+`/g, " ");
  return outside.includes(`<@${user}>`) || outside.includes(`<@${user}|`);
};

const written = (inner: string, without: string): string => {
  const [target = "", label = ""] = inner.split("|");
  if (target === `@${without}`) return "";
  if (target.startsWith("@")) return label === "" ? target : `@${label.replace(/^@/, "")}`;
  if (target.startsWith("#")) return label === "" ? target : `#${label}`;
  if (target.startsWith("!")) return label === "" ? `@${target.slice(1).split("^")[0]}` : label;
  if (label === "" || label === target) return target;
  return target.replace(AUTOLINK, "").replace(/\/$/, "") === label.replace(/\/$/, "")
    ? label
    : `${label} (${target})`;
};

/** Slack puts a scheme before words that look like a host or an address. The author wrote the label. */
const AUTOLINK = /^(?:https?:\/\/|mailto:|tel:)/i;
