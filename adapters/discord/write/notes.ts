/**
 * Replies of the host outside of turns: private if the person clicked or ran a command recently, otherwise in
 * the channel. There, only the newest note to each person remains, so that nobody can make the bot fill the
 * channel.
 */

import { randomUUID } from "node:crypto";
import { ComponentType, MessageFlags } from "discord-api-types/v10";
import type { Millis } from "../../../src/machine/id.ts";
import type { ChatPlatform, Picker } from "../../../src/ports/chat-platform.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import type { Addressee, PrivateNote, SendOutcome, Surface } from "../../../src/ports/surface.ts";
import { logRejectedPost } from "../../post/trouble.ts";
import type { InteractionToken, InteractionTokens } from "./interaction-tokens.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { buttonRows } from "./blocks.ts";
import { discordCourtesy } from "../read/people.ts";
import { attemptDiscordCall, isTokenOver, isUnknownChannel } from "../api/failure.ts";
import type { DiscordThreads } from "../read/threads.ts";
import { postDiscordMessage } from "./post-message.ts";
import type { DiscordCalls } from "../api/calls.ts";

const MAX_TEXT = 2_000;
/** Maximum length of an option's label and value, and of a menu. */
const MAX_OPTION = 100;
const MAX_OPTIONS = 25;
const QUIET: Millis = 10 * 60_000;
/** Maximum number of notes whose places are remembered. */
const REMEMBERED = 5_000;

export const PICK = "parley_pick";

export interface NotesDeps {
  readonly calls: DiscordCalls;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly whispers: Pick<InteractionTokens, "find">;
  readonly locks: Pick<DiscordThreads, "isLocked">;
}

type Notes = Pick<ChatPlatform, "whisper" | "unpick"> & {
  /**
   * Posts a pointer in a channel without a repository, at most once in a while. Returns the id of the
   * message.
   */
  point(channel: string, person: string, text: string): Promise<string | null>;
  menu(channel: string, picker: Omit<Picker, "alone">): Promise<string | null>;
};

export const createDiscordNotes = (deps: NotesDeps): Notes => {
  const { calls, clock, log } = deps;
  const answer = createDiscordAnswer(deps);
  const newest = createLruCache<string>(REMEMBERED);
  const pointed = createLruCache<Millis>(REMEMBERED);

  const say = async (to: Addressee, note: PrivateNote): Promise<string | null> => {
    const key = `${to.root ?? to.place} ${to.person}`;
    const replaces = newest.get(key) ?? null;
    const outcome = await answer(to, note, { key: randomUUID(), replaces });
    logRejectedPost(log, "Discord", "reply", outcome);
    if (outcome.kind !== "done" || outcome.id === "") return null;
    newest.set(key, outcome.id);
    return outcome.id;
  };

  const isNew = (key: string): boolean => {
    if (clock.now() - (pointed.get(key) ?? -Infinity) < QUIET) return false;
    pointed.set(key, clock.now());
    return true;
  };

  return {
    whisper: async (to, note) => void (await say(to, note)),
    point: (channel, person, text) =>
      isNew(`${channel} ${text}`)
        ? say({ place: channel, root: null, person }, { text, buttons: [] })
        : Promise.resolve(null),
    menu: (channel, { message, text, choices, say }) =>
      discordCourtesy(log, "discord: repository menu not posted", () => {
        const body = { ...spoken(text), components: menuOf(message, choices, say("Repository")) };
        return postDiscordMessage(calls, channel, `pick/${message}`, body);
      }),
    unpick: async ({ place, root }, note) => {
      // The note is in the channel or thread of the mention.
      for (const channel of new Set([root, place])) {
        const removed = await attemptDiscordCall(async () => {
          await calls.call("DELETE", `/channels/${channel}/messages/${note}`);
          return { kind: "done", id: note };
        });
        if (removed.kind === "done") return;
      }
    },
  };
};

/**
 * A note in the channel carries a nonce, so that Discord accepts it once. The replaced note is removed
 * afterwards.
 */
export const createDiscordAnswer =
  ({ calls, whispers, locks }: Pick<NotesDeps, "calls" | "whispers" | "locks">): Surface["answer"] =>
  ({ place, root, person }, note, once) => {
    const channel = root ?? place;

    const privately = async ({ application, token }: InteractionToken): Promise<SendOutcome> => {
      const { flags, ...text } = spoken(note.text);
      const body = { ...text, flags: flags | MessageFlags.Ephemeral, components: buttonRows(note.buttons) };
      await calls.call("POST", `/webhooks/${application}/${token}`, { body });
      return { kind: "done", id: "" };
    };

    /** Posts in the thread, or in the channel if the thread was never started. */
    const openly = async (): Promise<SendOutcome> => {
      if (locks.isLocked(channel)) return { kind: "gone", what: "thread", why: "the thread is locked" };
      const said = spoken(`<@${person}> ${note.text}`);
      const body = {
        ...said,
        // A post with an undo button sends no notification (TH3).
        flags:
          note.buttons.length > 0 || note.quiet === true
            ? said.flags | MessageFlags.SuppressNotifications
            : said.flags,
        components: buttonRows(note.buttons),
        allowed_mentions: { users: [person] },
      };
      const post = async (where: string): Promise<string> => {
        const id = await postDiscordMessage(calls, where, once?.key ?? null, body);
        // The nonce may return the text of an earlier call.
        if (once?.renews === true) {
          const { content, components, allowed_mentions } = body;
          const route = `/channels/${where}/messages/${id}` as const;
          await calls.call("PATCH", route, { body: { content, components, allowed_mentions } });
        }
        return id;
      };
      const id = await post(channel).catch((error: unknown) => {
        if (channel === place || !isUnknownChannel(error)) throw error;
        return post(place);
      });
      return { kind: "done", id };
    };

    /** A failed removal is ignored. */
    const remove = async (id: string): Promise<void> => {
      await attemptDiscordCall(() => calls.call("DELETE", `/channels/${channel}/messages/${id}`));
    };

    return attemptDiscordCall(async () => {
      const whisper = whispers.find(channel, person);
      const outcome = await (whisper === null
        ? openly()
        : privately(whisper).catch((error: unknown) => {
            if (!isTokenOver(error)) throw error;
            return openly();
          }));
      if (
        once !== null &&
        once.replaces !== null &&
        outcome.kind === "done" &&
        outcome.id !== once.replaces
      ) {
        await remove(once.replaces);
      }
      return outcome;
    });
  };

/** Replaces the private message of a click; possible within the token's fifteen minutes. */
export const replaceAlone =
  ({ calls, log }: Pick<NotesDeps, "calls" | "log">, { application, token }: InteractionToken) =>
  async (note: PrivateNote | null): Promise<boolean> => {
    const route = `/webhooks/${application}/${token}/messages/@original` as const;
    const replaced = await discordCourtesy(log, "discord: private reply not replaced", async () => {
      await (note === null
        ? calls.call("DELETE", route)
        : calls.call("PATCH", route, {
            body: { ...spoken(note.text), components: buttonRows(note.buttons) },
          }));
      return true;
    });
    return replaced !== null;
  };

const spoken = (text: string) => ({
  content: text.slice(0, MAX_TEXT),
  flags: MessageFlags.SuppressEmbeds,
  allowed_mentions: { parse: [] },
});

/** The menu contains the id of the waiting message, so that the choice finds it after a restart. */
const menuOf = (message: string, choices: readonly string[], placeholder: string): readonly object[] => {
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
              placeholder,
              min_values: 1,
              max_values: 1,
              options,
            },
          ],
        },
      ];
};
