/** What the host says in a channel by itself: its own sentences, each put once, with words of others quoted below. */

import type { Line, SendAlert } from "../../../src/ports/alerts.ts";
import { notice } from "../../post/render.ts";
import { unreadOf } from "../read/people.ts";
import type { Calls } from "./api.ts";
import { showLine } from "./host-line.ts";
import { quoted } from "./posted-question.ts";
import { openThread } from "./start-thread.ts";

export const createAlert =
  (calls: Calls): SendAlert =>
  async (place, line) => {
    const { id: key, edits = null, root: channel = place, button } = line;
    try {
      if (edits === null) await openThread(calls, place, channel);
      const content = { ...notice(textOf(line)), buttons: button === undefined ? [] : [button] };
      const shown = { channel, key, content };
      return { kind: "put", message: await showLine(calls, shown, edits) };
    } catch (error) {
      return { kind: "refused", why: `Discord did not take it: ${unreadOf(error).why}` };
    }
  };

const textOf = ({ text, words = "", link = null }: Line): string => {
  const quote = words === "" ? [] : quoted(words);
  return [link === null ? text : `${text} <${link}>`, ...quote].join("\n");
};
