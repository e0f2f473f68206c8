/** What the host says in a channel by itself: its own sentences, each put once, with words of others quoted below. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Line, SendAlert } from "../../../src/ports/alerts.ts";
import { buttonRow, signed } from "./blocks.ts";
import { escaped, linkTo } from "./markup.ts";
import { postOnce, quoted, refusal } from "./posted-question.ts";

export const createAlert =
  (client: webApi.WebClient): SendAlert =>
  async (place, line) => {
    const { id, edits, root = null } = line;
    const content = contentOf(line);
    if (edits === undefined) return postOnce(client, { place, root, id }, content);
    try {
      const answer = await client.chat.update({ channel: place, ts: edits, ...content });
      return { kind: "put", message: edited.parse(answer).ts };
    } catch (error) {
      return refusal(error);
    }
  };

const contentOf = ({ text, words, link, button }: Line) => {
  const open = link === undefined || link === null ? "" : ` ${linkTo(link, "Open")}`;
  const shown = [`${escaped(text)}${open}`, ...(words === undefined ? [] : quoted(words))];
  const buttons = buttonRow(button === undefined ? [] : [button]);
  return { text: escaped(text), blocks: [...signed(shown), ...buttons] };
};

const edited = z.object({ ts: z.string() });
