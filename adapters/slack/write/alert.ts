/** Posts the host's own sentences in a channel, each once, with untrusted content quoted below. */

import type { webApi } from "@slack/bolt";
import type { HostMessage, SendAlert } from "../../../src/ports/alerts.ts";
import { controlsOf } from "../../post/controls.ts";
import { buttonRow, signed } from "./blocks.ts";
import { escaped, linkTo } from "./markup.ts";
import { postOnce, quoted } from "./posted-question.ts";

export const createAlert =
  (client: webApi.WebClient): SendAlert =>
  (place, line) => {
    const { id, edits = null, root = null } = line;
    return postOnce(client, { place, root, id, edits, since: null }, contentOf(line));
  };

const contentOf = ({ text, words, link, button }: HostMessage) => {
  const open = link === undefined || link === null ? "" : ` ${linkTo(link, "Open")}`;
  const shown = [`${escaped(text)}${open}`, ...(words === undefined ? [] : quoted(words))];
  const buttons = buttonRow(controlsOf(button === undefined ? [] : [button]));
  return { text: escaped(text), blocks: [...signed(shown), ...buttons] };
};
