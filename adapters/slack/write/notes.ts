/**
 * Replies of the host outside of turns: private replies, and the question which repository a channel works
 * on. The ledger tracks pending ones (D7).
 */

import type { types, webApi } from "@slack/bolt";
import type { ChatPlatform, Picker } from "../../../src/ports/chat-platform.ts";
import type { Place } from "../../../src/ports/conversation.ts";
import type { Log } from "../../../src/ports/host.ts";
import { type Surface, whyOf } from "../../../src/ports/surface.ts";
import { logRejectedPost } from "../../post/trouble.ts";
import { buttonRow, section } from "./blocks.ts";
import { millisOfTs } from "../read/message.ts";
import { slackCourtesy } from "../read/people.ts";
import { attemptSlackCall } from "../api/failure.ts";
import { escapeMarkup } from "./markup.ts";
import { ensurePosted } from "./posted-question.ts";

/** Slack's limits for the text of a section, and for the label and value of an option. */
const MAX_TEXT = 3_000;
const MAX_OPTION = 75;
const MAX_OPTIONS = 100;

export const PICK_ACTION = "parley_pick";

/** Slack removes a private reply by itself, and a reply cannot be replaced. */
export const createSlackAnswer =
  (client: webApi.WebClient): Surface["answer"] =>
  ({ place, root, person }, note) =>
    attemptSlackCall(async () => {
      await client.chat.postEphemeral({
        channel: place,
        user: person,
        ...slackNoteBody(note.text, buttonRow(note.buttons)),
        ...(root === null ? {} : { thread_ts: root }),
      });
      return { kind: "done", id: "" };
    });

export const createSlackNotes = (
  client: webApi.WebClient,
  log: Log,
): Pick<ChatPlatform, "whisper" | "pick" | "unpick"> => {
  const answer = createSlackAnswer(client);

  const asked = <T>(what: string, call: () => Promise<T>): Promise<T | null> =>
    slackCourtesy(log, "slack: host message rejected", call, { what });

  /**
   * Asks the person who may choose, privately. Slack hides private messages in a thread without other
   * messages, so the channel is used then.
   */
  const pickAlone = ({ place, root }: Place, picker: Picker, user: string): Promise<unknown> =>
    client.chat.postEphemeral({
      channel: place,
      user,
      ...slackNoteBody(picker.text, menu(picker)),
      ...(root === picker.message && !place.startsWith("D") ? {} : { thread_ts: root }),
    });

  return {
    whisper: async (to, text) => logRejectedPost(log, "Slack", "private reply", await answer(to, text, null)),
    pick: async (where, picker) => {
      const put = await attemptSlackCall(async () => {
        if (picker.alone === null) {
          const { place, root } = where;
          const spot = { place, root, id: picker.message, since: millisOfTs(picker.message) };
          return ensurePosted(client, spot, slackNoteBody(picker.text, menu(picker)));
        }
        await pickAlone(where, picker, picker.alone);
        return null;
      });
      if (put !== null && typeof put !== "string")
        log.warn("slack: repository menu not posted", { why: whyOf(put) });
      return put;
    },
    unpick: async ({ place }, ts) => {
      await asked("removal of a used menu", () => client.chat.delete({ channel: place, ts }));
    },
  };
};

export const slackNoteBody = (
  text: string,
  more: readonly types.KnownBlock[],
): { readonly text: string; readonly blocks: types.KnownBlock[] } => {
  const shown = escapeMarkup(text).slice(0, MAX_TEXT);
  return { text: shown, blocks: [section(shown), ...more] };
};

/** The block's id names the waiting message, so that the choice finds it after a restart. */
const menu = ({ choices, message, say }: Picker): readonly types.KnownBlock[] => {
  const options = choices
    .filter((name) => name.length <= MAX_OPTION)
    .slice(0, MAX_OPTIONS)
    .map((name) => ({ text: { type: "plain_text" as const, text: name }, value: name }));
  return options.length === 0
    ? []
    : [
        {
          type: "actions",
          block_id: message,
          elements: [
            {
              type: "static_select",
              action_id: PICK_ACTION,
              placeholder: { type: "plain_text", text: say("Repository") },
              options,
            },
          ],
        },
      ];
};
