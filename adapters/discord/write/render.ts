/** How Discord's Markdown spells what the host says. Pure. */

import type { Millis } from "../../../src/machine/id.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { discordProse } from "./prose.ts";
import type { NamedApprovers } from "./support.ts";
import type { Dialect } from "../../post/dialect.ts";
import { fewOf } from "../../post/phrases.ts";
import { createRenderer } from "../../post/render.ts";
import { codePointName, visibleCode, visibleText } from "../../../src/text/invisible.ts";

/** Discord reads masked links across code: the end of a label is spelled. */
export const discordCode = (text: string): string =>
  `\`${visibleCode(text).replaceAll(/`|\](?=\()/g, codePointName)}\``;

/** Nothing in it is Markdown, a mention or a link that opens by itself. */
export const discordPlain = (text: string): string =>
  visibleText(text)
    .replaceAll(/([\\`*_[\]<>#|~!@]|(?<=\])\()/g, "\\$1")
    .replaceAll(/(?<=https?):\/\//g, "\\://");

/** A star in code ends emphasis that began before the code. */
const hasStar = (text: string): boolean => /(?<!\\)\*/.test(text);

const PERSON = /^discord:(\d+)$/;

/** People of Discord are shown by their names: `allowed_mentions` keeps the mention from calling them. */
const named = (id: string): string => {
  const [, user] = PERSON.exec(id) ?? [];
  return user === undefined ? discordCode(id) : `<@${user}>`;
};

const isSameDay = (a: Millis, b: Millis): boolean =>
  new Date(a).toISOString().slice(0, 10) === new Date(b).toISOString().slice(0, 10);

export const discordDialect = (say: Say): Dialect => ({
  platform: "Discord",
  marks: {
    say,
    code: named,
    plain: discordPlain,
    thread: (id, link) => (link === undefined ? discordCode(id) : `[${say("the new thread")}](${link})`),
    link: (text, url) => `[${discordPlain(text)}](<${url}>)`,
  },
  code: discordCode,
  bold: (text) => (hasStar(text) ? text : `**${text}**`),
  italic: (text) => (hasStar(text) ? text : `*${text}*`),
  markdown: (text) => text,
  prose: discordProse,
  linked: (text, link) => (link === null ? discordCode(text) : `[${discordCode(text)}](<${link}>)`),
  time: (at, since) => `<t:${Math.floor(at / 1_000)}:${isSameDay(at, since) ? "t" : "f"}>`,
  buttonsFirst: true,
  marksButtons: true,
  isPublic: true,
  files: 5,
});

/** `approvers`: who decides a question, in markup. */
export const discordRenderer = (say: Say, approvers?: string): ReturnType<typeof createRenderer> =>
  createRenderer(discordDialect(say), approvers);

/** Who decides, if people or roles are listed: a question notifies them (WD7). */
export const discordApproversText = (
  { people, roles }: Pick<NamedApprovers, "people" | "roles">,
  say: Say,
): string | undefined => {
  const all = [...people.map((id) => `<@${id}>`), ...roles.map((id) => `<@&${id}>`)];
  return all.length === 0 ? undefined : say("{who} can decide.", { who: fewOf(all, say) });
};
