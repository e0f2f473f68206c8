/** What the host says in a channel by itself: its own sentences, each put once, with words of others quoted below. */

import type { Line, SendAlert } from "../../../src/ports/alerts.ts";
import { notice } from "../../post/render.ts";
import { neutralise } from "../../text/neutral.ts";
import { splitMarkdown } from "../../text/split.ts";
import { unreadOf } from "../read/people.ts";
import type { Calls } from "./api.ts";
import { showLine } from "./host-line.ts";
import { openThread } from "./start-thread.ts";

/** Of a message's quoted part. */
const MAX_WORDS = 1_500;

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
  const [shown = ""] = splitMarkdown(neutralise(words), { units: "utf16", max: MAX_WORDS });
  const quote = words === "" ? [] : shown.split("\n").map((part) => `> ${part}`);
  return [link === null ? text : `${text} <${link}>`, ...quote].join("\n");
};
