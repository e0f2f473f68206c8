/** No member throws or rejects. */

import type { Millis } from "../machine/id.ts";
import type { ThreadMessage, Quote, ChatMessage, SharedFile } from "./chat.ts";
import type { Place } from "./conversation.ts";
import type { Addressee, PrivateNote, SendFailure } from "./surface.ts";
import type { Language, Say } from "../i18n/say.ts";

/** As the platform describes the person at this moment (D1, D2). */
export interface Person {
  readonly id: string;
  /** For quotes and the trace; no decision depends on the name. */
  readonly name: string;
  readonly standing: "member" | "guest" | "external" | "bot" | "deactivated";
  readonly admin: boolean;
  /** The person's groups among the requested ones. */
  readonly groups: readonly string[];
  /** Language of the person's client, if the platform provides one that the host supports. */
  readonly language?: Language;
}

/** Entry of PARLEY_APPROVERS for one platform. */
export type Approver =
  | { readonly kind: "person"; readonly id: string }
  | { readonly kind: "group"; readonly id: string }
  | { readonly kind: "admins" }
  | { readonly kind: "members" };

/** `passing`: whether another attempt soon may succeed. */
export type Unread = { readonly kind: "unread"; readonly why: string; readonly passing: boolean };

export type PersonRead = { readonly kind: "person"; readonly person: Person } | Unread;

type EarlierRead =
  | {
      readonly kind: "messages";
      /** Oldest first. */
      readonly messages: readonly ThreadMessage[];
      readonly cut: boolean;
      /** Number of omitted messages; absent if the platform does not provide the number. */
      readonly left?: number;
    }
  | Unread;

type TagsRead = { readonly kind: "tags"; readonly tags: readonly string[] } | Unread;

export type Fetched =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  /** `why` is displayed after "NAME: ". */
  | { readonly kind: "refused"; readonly why: string };

/** `isRepeat`: an earlier call had posted the message. Some platforms do not report repeats. */
export type PutResult =
  | { readonly kind: "put"; readonly message: string; readonly isRepeat?: true }
  | { readonly kind: "refused"; readonly why: string };

export interface Picker {
  readonly message: string;
  /** Only this person may choose, and is asked in private if possible; null if the thread is asked. */
  readonly alone: string | null;
  readonly text: string;
  /** At most 100 names of repositories. */
  readonly choices: readonly string[];
  readonly say: Say;
}

interface People {
  /** Server of the event; null in direct messages and on platforms with only one server. */
  readonly server: string | null;
  person(id: string, groups: readonly string[]): Promise<PersonRead>;
  /** Like `person`, for the author of a message, as of the last minute. Absent if everybody is read each time. */
  author?(id: string, groups: readonly string[]): Promise<PersonRead>;
  /** Returns the display name of a person or a group; the id itself if the platform provides none. */
  label(id: string): Promise<string>;
}

interface ThreadReader {
  /** Returns at most `limit` messages between `since` and `until`: the first one, the newest, and `about` if it was read. */
  earlier(
    where: Place,
    range: {
      readonly since: string | null;
      readonly until: string;
      readonly limit: number;
      readonly about: string | null;
    },
  ): Promise<EarlierRead>;
  /** Returns the previews below a message, after a short delay in which the platform can add them. */
  shown(said: ChatMessage): Promise<readonly Quote[]>;
  /** `most`: in bytes. */
  fetch(file: SharedFile, most: number): Promise<Fetched>;
  tags(where: Place): Promise<TagsRead>;
}

export interface Addresses {
  audience(place: string): Promise<"public" | "private" | null>;
  /** Whether a channel belongs to one person and the bot. Absent if ids do not say so; the channel then counts as shared. */
  isDirect?(place: string): boolean;
  link(place: string, message: string): Promise<string | null>;
  /** Whether the person is a member of the channel; null if unknown. */
  isIn?(place: string, person: string): Promise<boolean | null>;
}

interface Voice {
  /** Whether a reply would now be visible to the addressee only. */
  isPrivate(to: Addressee): boolean;
  /** Sends a note that only the addressee sees. Never repeated after a failure. */
  whisper(to: Addressee, note: PrivateNote): Promise<void>;
  /** Posts a person's question in the thread, or opens a thread with it. Each `id` is posted once, despite crashes. */
  put(
    where: { readonly place: string; readonly root: string | null },
    question: {
      readonly id: string;
      readonly person: string;
      readonly text: string;
      readonly say: Say;
      /** Messages older than this cannot be the question. */
      readonly since?: Millis;
    },
  ): Promise<PutResult>;
  /** Returns why no answer could be posted, as a sentence; null if no obstacle is known. Called before a model is asked. */
  barrier?(where: { readonly place: string; readonly root: string | null }, say: Say): string | null;
  /** Whether a channel gets its repository automatically if the host has only one. */
  readonly bindsByItself: boolean;
  /** Asks for the channel's repository. Returns the id of the posted question; null if there is none. */
  pick(where: Place, picker: Picker): Promise<string | null | SendFailure>;
  /** Removes the question of `pick`. Failures are ignored. */
  unpick(where: Place, note: string): Promise<void>;
  reread(where: Place, message: string): Promise<ChatMessage | null>;
}

export interface ChatPlatform extends People, ThreadReader, Addresses, Voice {}
