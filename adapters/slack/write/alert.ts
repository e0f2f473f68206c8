/** Posts the host's own sentences in a channel, each once, with untrusted content quoted below. */

import type { webApi } from "@slack/bolt";
import type { HostMessage, SendAlert } from "../../../src/ports/alerts.ts";
import { controlsOf } from "../../post/controls.ts";
import { buttonRow, signedBlocks } from "./blocks.ts";
import { escapeMarkup, linkTo } from "./markup.ts";
import { postOnce, quoteForSlack } from "./posted-question.ts";

export const createSlackAlert =
  (client: webApi.WebClient): SendAlert =>
  (place, line) => {
    const { id, edits = null, root = null } = line;
    return postOnce(client, { place, root, id, edits, since: null }, contentOf(line));
  };

const contentOf = ({ text, words, link, button, buttons: more = [], notify = [] }: HostMessage) => {
  const open = link === undefined || link === null ? "" : ` ${linkTo(link, "Open")}`;
  const notified = notify.map(notifiedText).join("");
  const shown = [
    `${escapeMarkup(text)}${open}${notified}`,
    ...(words === undefined ? [] : quoteForSlack(words)),
  ];
  const buttons = buttonRow(controlsOf([...(button === undefined ? [] : [button]), ...more]));
  return { text: escapeMarkup(text), blocks: [...signedBlocks(shown), ...buttons] };
};

/** Empty for ids of other platforms. */
const notifiedText = (id: string): string => {
  const [, group, person] = /^slack:(?:group:([A-Z0-9]+)|([A-Z0-9]+))$/.exec(id) ?? [];
  if (group !== undefined) return ` <!subteam^${group}>`;
  return person === undefined ? "" : ` <@${person}>`;
};
