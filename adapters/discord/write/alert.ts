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
    const { id: key, edits = null, root: channel = place, button, buttons = [], notify = [] } = line;
    try {
      if (edits === null) await openThread(deps.calls, place, channel);
      const notified = notifiedOf(notify);
      const text = [textOf(line), ...notified.shown].join("\n");
      const content = {
        ...renderNotice(text),
        buttons: [...(button === undefined ? [] : [button]), ...buttons],
      };
      const title = line.words ?? line.text;
      const shown = { channel, key, content, title, mentions: notified.mentions };
      return { kind: "put", message: await showLine(deps, shown, edits) };
    } catch (error) {
      return { kind: "refused", why: `Discord did not take it: ${discordUnreadOf(error).why}` };
    }
  };

/** Ids of other platforms are ignored. */
const notifiedOf = (notify: readonly string[]) => {
  const ids = (pattern: RegExp) => notify.flatMap((id) => pattern.exec(id)?.[1] ?? []);
  const users = ids(/^discord:(\d+)$/);
  const roles = ids(/^discord:role:(\d+)$/);
  const named = [...users.map((id) => `<@${id}>`), ...roles.map((id) => `<@&${id}>`)].join(" ");
  return { shown: named === "" ? [] : [named], mentions: { parse: [], users, roles } };
};

const textOf = ({ text, words = "", link = null }: HostMessage): string => {
  const quote = words === "" ? [] : quoteForDiscord(words);
  return [link === null ? text : `${text} <${link}>`, ...quote].join("\n");
};
