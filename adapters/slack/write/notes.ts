/**
 * What the host says outside of turns: private replies, and the question which repository a channel works on. What
 * of it is owed is the ledger's (D7).
 */

import type { types, webApi } from "@slack/bolt";
import type { ChatPlatform, Picker } from "../../../src/ports/chat-platform.ts";
import type { Log } from "../../../src/ports/host.ts";
import type { Surface } from "../../../src/ports/surface.ts";
import { logUntaken } from "../../post/trouble.ts";
import { buttonRow, section } from "./blocks.ts";
import { attempt, troubleOf } from "./failure.ts";
import { escaped } from "./markup.ts";

/** Slack's limits of a section's text and of an option's label and value. */
const MAX_TEXT = 3_000;
const MAX_OPTION = 75;
const MAX_OPTIONS = 100;

export const PICK_ACTION = "parley_pick";

/** Slack takes a private reply away by itself, and no other takes its place. */
export const createAnswer =
  (client: webApi.WebClient): Surface["answer"] =>
  ({ place, root, person }, note) =>
    attempt(async () => {
      await client.chat.postEphemeral({
        channel: place,
        user: person,
        ...spoken(note.text, buttonRow(note.buttons)),
        ...(root === null ? {} : { thread_ts: root }),
      });
      return { kind: "done", id: "" };
    });

export const createNotes = (
  client: webApi.WebClient,
  log: Log,
): Pick<ChatPlatform, "whisper" | "pick" | "picked"> => {
  const courtesy = async (what: string, call: () => Promise<unknown>): Promise<void> => {
    try {
      await call();
    } catch (error) {
      logUntaken(log, "Slack", what, troubleOf(error));
    }
  };

  const answer = createAnswer(client);
  return {
    whisper: async (to, note) => logUntaken(log, "Slack", "private reply", await answer(to, note, null)),
    pick: ({ place, root }, picker) =>
      courtesy("choice of a repository", () =>
        client.apiCall("chat.postMessage", {
          channel: place,
          thread_ts: root,
          ...spoken(picker.text, menu(picker)),
          unfurl_links: false,
          unfurl_media: false,
        }),
      ),
    picked: ({ place }, message, text) =>
      courtesy("chosen repository", () =>
        client.chat.update({ channel: place, ts: message, ...spoken(text, []) }),
      ),
  };
};

const spoken = (
  text: string,
  more: readonly types.KnownBlock[],
): { readonly text: string; readonly blocks: types.KnownBlock[] } => {
  const shown = escaped(text).slice(0, MAX_TEXT);
  return { text: shown, blocks: [section(shown), ...more] };
};

/** The message that waits is named by the block, so that the choice finds it after a restart. */
const menu = ({ choices, message }: Picker): readonly types.KnownBlock[] => {
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
              placeholder: { type: "plain_text", text: "Repository" },
              options,
            },
          ],
        },
      ];
};
