/** The host's own words in Slack's markup: people, times and names that nothing can break out of. Pure. */

import type { Millis } from "../../../src/machine/id.ts";
import type { Approver } from "../../../src/ports/chat-platform.ts";
import { capitalised } from "../../../src/thread/wording.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { fewOf } from "../../post/phrases.ts";
import { codePointName, shownCode, shownWords } from "../../../src/text/invisible.ts";

/** So that Slack reads no mention, channel or link in it. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Somebody's or the host's plain words inside of the host's markup: nothing in them is a mark. */
export const plain = (text: string): string =>
  // A backtick could begin code that ends at one of the host's.
  escaped(shownWords(text).replaceAll("`", "'")).replaceAll(/[*_~]/g, (mark) => `${mark}\u200b`);

/** A star in code could end what began before the code. */
export const bold = (text: string): string => (/`[^`]*\*/.test(text) ? text : `*${text}*`);

/** The words that all surfaces share, which are Markdown: Slack's bold has one star. Code stays as it is. */
export const fromMarkdown = (text: string): string =>
  text.replaceAll(/`[^`\n]*`|\*\*/g, (found) => (found === "**" ? "*" : found));

export const code = (text: string): string =>
  `\`${escaped(shownCode(text).replaceAll("`", codePointName))}\``;

/** A person of this workspace by name; anybody else, and anything else, as it is. */
export const personOrCode = (text: string): string => {
  const user = /^slack:([UW][A-Z0-9]{1,30})$/.exec(text)?.[1];
  return user === undefined ? code(text) : `<@${user}>`;
};

/** An address of the platform's own, with words to click on. */
export const linkTo = (address: string, words: string): string =>
  `<${escaped(address).replaceAll("|", "%7C")}|${words}>`;

/** Who decides; those who are listed one by one are told by it. */
export const approversText = (approvers: readonly Approver[], say: Say): string => {
  const named = approvers.map((one) => {
    switch (one.kind) {
      case "person":
        return `<@${one.id}>`;
      case "group":
        return `<!subteam^${one.id}>`;
      case "admins":
        return say("owners and admins");
      case "members":
        return say("every member");
    }
  });
  return named.length === 0
    ? say("Nobody on Slack can decide.")
    : capitalised(say("{who} can decide.", { who: fewOf(named, say) }));
};

export const toldInText = (channel: string, say: Say): string =>
  say("Approvers are notified in {channel}.", { channel: `<#${channel}>` });

/** A time as each reader's clock shows it, with the day where that is not the day of `since`. */
export const time = (at: Millis, since: Millis): string => {
  const iso = new Date(at).toISOString();
  const [day, clock] = [iso.slice(0, 10), `${iso.slice(11, 16)} UTC`];
  const isSameDay = new Date(since).toISOString().slice(0, 10) === day;
  const format = isSameDay ? "{time}" : "{date_short_pretty} {time}";
  return `<!date^${Math.floor(at / 1000)}^${format}|${isSameDay ? clock : `${day} ${clock}`}>`;
};
