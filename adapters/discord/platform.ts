/** Discord as the shared manners of chat see it (src/ports/chat-platform.ts), for one thing that a person did in one guild. */

import type { ChatPlatform } from "../../src/ports/chat-platform.ts";
import { createDownload, isServedBy } from "../post/download.ts";
import type { Identity } from "./receive/identity.ts";
import type { Ears } from "./receive/inbound.ts";
import { createEarlier } from "./read/earlier.ts";
import { createPeople, type PeopleDeps } from "./read/people.ts";
import type { Reach } from "./read/reach.ts";
import { createReread } from "./read/reread.ts";
import { createTags } from "./read/tags.ts";
import type { createAudience } from "./read/thread-facts.ts";
import type { Seen } from "./read/message.ts";
import { createNotes, type NotesDeps } from "./write/notes.ts";
import { createPrivateQuestion, createPostedQuestion } from "./write/posted-question.ts";
import type { Label } from "../../src/i18n/say.ts";

export interface PlatformDeps extends NotesDeps, PeopleDeps, Pick<Ears, "names" | "isForum" | "answers"> {
  readonly audience: ReturnType<typeof createAudience>;
  readonly reach: Pick<Reach, "barrier">;
  readonly self: Pick<Identity, "bot">;
  /** DISCORD_API_URL, whose host serves files too. */
  readonly apiUrl: string | undefined;
}

const DISCORD = /^(cdn\.discordapp\.com|media\.discordapp\.net)$/;

export interface Matter {
  /** Null in direct messages. */
  readonly guild: string | null;
  /** The channel or thread that it came from. */
  readonly channel: string;
  readonly person: string;
  /** What Discord said of the person with it; null where that is too long ago. */
  readonly seen: Seen | null;
  /** A thread that is opened now is for the person alone. */
  readonly isPrivate: boolean;
}

export type PlatformFor = (matter: Matter) => ChatPlatform;

export const createDiscordPlatform = (deps: PlatformDeps): PlatformFor => {
  const { calls, apiUrl, reach } = deps;
  const people = createPeople(deps);
  const notes = createNotes(deps);
  const put = createPostedQuestion({ calls, isForum: deps.isForum, self: () => deps.self.bot });
  const privately = createPrivateQuestion(calls);
  const earlier = createEarlier(calls, deps.names);
  const tags = createTags(calls);
  const reread = createReread(calls, deps);
  const barrierOf =
    (guild: string | null, isPrivate: boolean): NonNullable<ChatPlatform["barrier"]> =>
    ({ place, root }, say) =>
      guild === null ? null : reach.barrier({ place, root, isPrivate }, say);
  // Discord serves files to anybody who has the address: no token goes along.
  const fetch = createDownload({
    service: "Discord",
    isOurs: (url) => isServedBy(DISCORD, apiUrl, url),
    headers: {},
    refusal: () => null,
  });
  return ({ guild, channel, person, seen, isPrivate }) => ({
    ...people.in(guild, seen),
    server: guild,
    isPrivate: ({ place, root, person: reader }) =>
      guild === null || deps.whispers.find(root ?? place, reader) !== null,
    whisper: notes.whisper,
    unpick: notes.unpick,
    bindsByItself: false,
    reread: reread(guild),
    earlier,
    shown: ({ shown }) => Promise.resolve(shown ?? []),
    tags,
    fetch,
    put: (where, question) => {
      const why = barrierOf(guild, isPrivate)(where, question.say);
      if (why !== null) return Promise.resolve({ kind: "refused", why });
      return (isPrivate && where.root === null ? privately : put)(where, question);
    },
    barrier: barrierOf(guild, isPrivate),
    audience: deps.audience(guild),
    link: (place, message) =>
      Promise.resolve(`https://discord.com/channels/${guild ?? "@me"}/${place}/${message}`),
    /** In a server one pointer; the menu is for direct messages, where nobody else is disturbed. */
    pick: (_where, picker) =>
      guild === null ? notes.menu(channel, picker) : notes.point(channel, person, picker.say(NOT_ENABLED)),
  });
};

export const NOT_ENABLED: Label =
  "I am not enabled here. Somebody who manages this server picks a repository: `/parley repo`. Then I answer.";
