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

export const mentions = (text: string, user: string): boolean =>
  text.includes(`<@${user}>`) || text.includes(`<@${user}|`);

const written = (inner: string, without: string): string => {
  const [target = "", label = ""] = inner.split("|");
  if (target === `@${without}`) return "";
  if (target.startsWith("@")) return label === "" ? target : `@${label.replace(/^@/, "")}`;
  if (target.startsWith("#")) return label === "" ? target : `#${label}`;
  if (target.startsWith("!")) return label === "" ? `@${target.slice(1).split("^")[0]}` : label;
  return label === "" || label === target ? target : `${label} (${target})`;
};
