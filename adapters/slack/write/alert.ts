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

const contentOf = ({ text, words, link, button }: HostMessage) => {
  const open = link === undefined || link === null ? "" : ` ${linkTo(link, "Open")}`;
  const shown = [`${escapeMarkup(text)}${open}`, ...(words === undefined ? [] : quoteForSlack(words))];
  const buttons = buttonRow(controlsOf(button === undefined ? [] : [button]));
  return { text: escapeMarkup(text), blocks: [...signedBlocks(shown), ...buttons] };
};
