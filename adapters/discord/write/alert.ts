/** Posts the host's own sentences in a channel, each once, with untrusted content quoted below. */

import type { HostMessage, SendAlert } from "../../../src/ports/alerts.ts";
import { renderNotice } from "../../post/render.ts";
import { discordUnreadOf } from "../read/people.ts";
import { type LineDeps, showLine } from "./host-line.ts";
import { quoteForDiscord } from "./posted-question.ts";
import { openThread } from "./start-thread.ts";

export const createDiscordAlert =
  (deps: LineDeps): SendAlert =>
  async (place, line) => {
    const { id: key, edits = null, root: channel = place, button } = line;
    try {
      if (edits === null) await openThread(deps.calls, place, channel);
      const content = { ...renderNotice(textOf(line)), buttons: button === undefined ? [] : [button] };
      const title = line.words ?? line.text;
      const shown = { channel, key, content, title };
      return { kind: "put", message: await showLine(deps, shown, edits) };
    } catch (error) {
      return { kind: "refused", why: `Discord did not take it: ${discordUnreadOf(error).why}` };
    }
  };

const textOf = ({ text, words = "", link = null }: HostMessage): string => {
  const quote = words === "" ? [] : quoteForDiscord(words);
  return [link === null ? text : `${text} <${link}>`, ...quote].join("\n");
};
