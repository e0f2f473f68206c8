import type { Millis } from "../../../src/machine/id.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { discordProse } from "./prose.ts";
import type { NamedApprovers } from "./support.ts";
import type { Dialect } from "../../post/dialect.ts";
import { fewOf } from "../../post/phrases.ts";
import { createRenderer } from "../../post/render.ts";
import { codePointName, visibleCode, visibleText } from "../../../src/text/invisible.ts";

/** Discord finds masked links across code, so the end of a label is spelled out. */
export const discordCode = (text: string): string =>
  `\`${visibleCode(text).replaceAll(/`|\](?=\()/g, codePointName)}\``;

/** Escapes Markdown, mentions and links that open by themselves. */
export const discordPlain = (text: string): string =>
  visibleText(text)
    .replaceAll(/([\\`*_[\]<>#|~!@]|(?<=\])\()/g, "\\$1")
    .replaceAll(/(?<=https?):\/\//g, "\\://");

/** A star in code ends emphasis that started before the code. */
const hasStar = (text: string): boolean => /(?<!\\)\*/.test(text);

const PERSON = /^discord:(\d+)$/;

/**
 * Formats people of Discord as mentions, which display their names; `allowed_mentions` prevents a
 * notification.
 */
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

/** `approvers`: markup that names the people who decide a question. */
export const discordRenderer = (say: Say, approvers?: string): ReturnType<typeof createRenderer> =>
  createRenderer(discordDialect(say), approvers);

/** Names the approvers if people or roles are listed, because a question notifies them (WD7). */
export const discordApproversText = (
  { people, roles }: Pick<NamedApprovers, "people" | "roles">,
  say: Say,
): string | undefined => {
  const all = [...people.map((id) => `<@${id}>`), ...roles.map((id) => `<@&${id}>`)];
  return all.length === 0 ? undefined : say("{who} can decide.", { who: fewOf(all, say) });
};
