/**
 * What the host says outside of turns. Privately where the person clicked or ran a command lately; else in the channel,
 * where the same sentence is not repeated to the same person for ten minutes, so that nobody can make the bot talk.
 */

import { ButtonStyle, ComponentType, MessageFlags } from "discord.js";
import type { Millis } from "../../src/core/id.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { ChatPlatform, Note } from "../../src/runtime/ports-chat.ts";
import { customIdOf } from "./blocks.ts";
import { isUnknownChannel, troubleOf } from "./failure.ts";
import type { Locks } from "./locks.ts";
import type { Calls } from "./rest.ts";
import type { Whispers } from "./whispers.ts";

const MAX_TEXT = 2_000;
/** Of an option's label and value, and of a menu. */
const MAX_OPTION = 100;
const MAX_OPTIONS = 25;
const QUIET: Millis = 10 * 60_000;

export const PICK = "parley_pick";

export interface NotesDeps {
  readonly calls: Calls;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly whispers: Pick<Whispers, "find">;
  readonly locks: Pick<Locks, "isLocked">;
}

export type Notes = Pick<ChatPlatform, "whisper" | "picked"> & {
  /** What a channel without a repository is told, once in a while. */
  point(channel: string, person: string, text: string): Promise<void>;
  menu(channel: string, message: string, text: string, choices: readonly string[]): Promise<void>;
};

export const createNotes = ({ calls, clock, log, whispers, locks }: NotesDeps): Notes => {
  const said = new Map<string, Millis>();

  /** Whether this was not said there lately. */
  const isNew = (key: string): boolean => {
    for (const [old, at] of said) {
      if (clock.now() - at < QUIET) break;
      said.delete(old);
    }
    if (said.has(key)) return false;
    said.set(key, clock.now());
    return true;
  };

  const courtesy = async (what: string, call: () => Promise<unknown>): Promise<void> => {
    try {
      await call();
    } catch (error) {
      const trouble = troubleOf(error);
      log.warn("Discord did not take a line of the host", {
        what,
        why: trouble.kind === "throttled" ? "too fast" : trouble.why,
      });
    }
  };

  /** In the channel where the thread that it is about was never begun. */
  const openly = (place: string, root: string | null, person: string, note: Note): Promise<void> => {
    const channel = root ?? place;
    if (locks.isLocked(channel) || !isNew(`${channel} ${person} ${note.text}`)) return Promise.resolve();
    const body = {
      ...spoken(`<@${person}> ${note.text}`),
      components: noteButtons(note),
      allowed_mentions: { users: [person] },
    };
    const post = (where: string) => calls.call("POST", `/channels/${where}/messages`, { body });
    return courtesy("reply", () =>
      post(channel).catch((error: unknown) => {
        if (channel === place || !isUnknownChannel(error)) throw error;
        return post(place);
      }),
    );
  };

  return {
    whisper: ({ place, root, person }, note) => {
      const channel = root ?? place;
      const whisper = whispers.find(channel, person);
      if (whisper === null) return openly(place, root, person, note);
      const { flags, ...text } = spoken(note.text);
      const body = { ...text, flags: flags | MessageFlags.Ephemeral, components: noteButtons(note) };
      const { application, token } = whisper;
      return courtesy("private reply", () =>
        calls.call("POST", `/webhooks/${application}/${token}`, { body }),
      );
    },
    point: (channel, person, text) =>
      isNew(`${channel} ${text}`) ? openly(channel, null, person, { text, buttons: [] }) : Promise.resolve(),
    menu: (channel, message, text, choices) =>
      courtesy("choice of a repository", () =>
        calls.call("POST", `/channels/${channel}/messages`, {
          body: { ...spoken(text), components: menuOf(message, choices) },
        }),
      ),
    picked: ({ root }, message, text) =>
      courtesy("chosen repository", () =>
        calls.call("PATCH", `/channels/${root}/messages/${message}`, {
          body: { ...spoken(text), components: [] },
        }),
      ),
  };
};

const spoken = (text: string) => ({
  content: text.slice(0, MAX_TEXT),
  flags: MessageFlags.SuppressEmbeds,
  allowed_mentions: { parse: [] },
});

const noteButtons = ({ buttons }: Note): readonly object[] =>
  buttons.length === 0
    ? []
    : [
        {
          type: ComponentType.ActionRow,
          components: buttons.map((one) => ({
            type: ComponentType.Button,
            style: one.action === "stop" ? ButtonStyle.Danger : ButtonStyle.Secondary,
            label: one.label,
            custom_id: customIdOf(one),
          })),
        },
      ];

/** The message that waits is named by the menu, so that the choice finds it after a restart. */
const menuOf = (message: string, choices: readonly string[]): readonly object[] => {
  const options = choices
    .filter((name) => name.length <= MAX_OPTION)
    .slice(0, MAX_OPTIONS)
    .map((name) => ({ label: name, value: name }));
  return options.length === 0
    ? []
    : [
        {
          type: ComponentType.ActionRow,
          components: [
            {
              type: ComponentType.StringSelect,
              custom_id: `${PICK}:${message}`,
              placeholder: "Repository",
              min_values: 1,
              max_values: 1,
              options,
            },
          ],
        },
      ];
};
