/** Discord as the shared manners of chat see it (ports-chat.ts), for one thing that a person did in one guild. */

import type { ChatPlatform } from "../../src/runtime/ports-chat.ts";
import { createDownload } from "./download.ts";
import { createEarlier } from "./earlier.ts";
import type { Identity } from "./identity.ts";
import { createNotes, type NotesDeps } from "./notes.ts";
import { createPeople } from "./people.ts";
import { createPrivatePut, createPut } from "./put.ts";

export interface PlatformDeps extends NotesDeps {
  readonly self: Identity;
  readonly apiUrl: string | undefined;
}

/** What is the matter: who asks, and from where. */
export interface Matter {
  /** Null in direct messages. */
  readonly guild: string | null;
  /** The channel or thread that it came from. */
  readonly channel: string;
  readonly person: string;
  /** A thread that is opened now is for the person alone. */
  readonly isPrivate: boolean;
}

export type PlatformFor = (matter: Matter) => ChatPlatform;

export const createDiscordPlatform = (deps: PlatformDeps): PlatformFor => {
  const { calls, self, apiUrl } = deps;
  const people = createPeople(deps);
  const notes = createNotes(deps);
  const put = createPut(calls);
  const privately = createPrivatePut(calls);
  const earlier = createEarlier(calls, self);
  const fetch = createDownload(apiUrl);
  return ({ guild, channel, person, isPrivate }) => ({
    ...people.in(guild),
    whisper: notes.whisper,
    picked: notes.picked,
    earlier,
    fetch,
    put: (where, question) => (isPrivate && where.root === null ? privately : put)(where, question),
    audience: () => Promise.resolve(null),
    link: (place, message) =>
      Promise.resolve(`https://discord.com/channels/${guild ?? "@me"}/${place}/${message}`),
    /** In a server one pointer; the menu is for direct messages, where nobody else is disturbed. */
    pick: (_where, picker) =>
      guild === null
        ? notes.menu(channel, picker.message, picker.text, picker.choices)
        : notes.point(channel, person, NOT_ENABLED),
  });
};

export const NOT_ENABLED =
  "I am not enabled in this channel. Someone who manages this server chooses its repository with `/parley repo owner/name`.";
