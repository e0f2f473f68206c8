/**
 * Formats the host's own words in Slack's markup, with people, times and names that no text can break out of.
 * Pure.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Approver } from "../../../src/ports/chat-platform.ts";
import { capitalize } from "../../../src/thread/wording.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { fewOf } from "../../post/phrases.ts";
import { codePointName, visibleCode, visibleText } from "../../../src/text/invisible.ts";

/** Escapes text so that Slack reads no mention, channel or link in it. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Escapes plain words inside the host's markup, so that they contain no marks. */
export const slackPlain = (text: string): string =>
  // A backtick could start code that ends at one of the host's.
  escapeMarkup(visibleText(text).replaceAll("`", "'")).replaceAll(/[*_~]/g, (mark) => `${mark}\u200b`);

/** A star in code could end emphasis that started before the code. */
export const bold = (text: string): string => (/`[^`]*\*/.test(text) ? text : `*${text}*`);

/**
 * Converts the Markdown of texts that all surfaces share: Slack's bold has one star. Code remains unchanged.
 */
export const fromMarkdown = (text: string): string =>
  text.replaceAll(/`[^`\n]*`|\*\*/g, (found) => (found === "**" ? "*" : found));

export const slackCode = (text: string): string =>
  `\`${escapeMarkup(visibleCode(text).replaceAll("`", codePointName))}\``;

/** Formats a person of this workspace as a mention, and anything else as code. */
export const personOrCode = (text: string): string => {
  const user = /^slack:([UW][A-Z0-9]{1,30})$/.exec(text)?.[1];
  return user === undefined ? slackCode(text) : `<@${user}>`;
};

/** Formats a link to the platform's own address with the given words. */
export const linkTo = (address: string, words: string): string =>
  `<${escapeMarkup(address).replaceAll("|", "%7C")}|${words}>`;

/** Names the approvers; people and groups that are listed individually are notified. */
export const slackApproversText = (approvers: readonly Approver[], say: Say): string => {
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
    ? say("Nobody on Slack can decide this question.")
    : capitalize(say("{who} can decide.", { who: fewOf(named, say) }));
};

export const noticeChannelText = (channel: string, say: Say): string =>
  say("Approvers are notified in {channel}.", { channel: `<#${channel}>` });

/** Formats a time for each reader's time zone, with the day if it differs from the day of `since`. */
export const time = (at: Millis, since: Millis): string => {
  const iso = new Date(at).toISOString();
  const [day, clock] = [iso.slice(0, 10), `${iso.slice(11, 16)} UTC`];
  const isSameDay = new Date(since).toISOString().slice(0, 10) === day;
  const format = isSameDay ? "{time}" : "{date_short_pretty} {time}";
  return `<!date^${Math.floor(at / 1000)}^${format}|${isSameDay ? clock : `${day} ${clock}`}>`;
};
