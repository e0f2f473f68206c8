/** What a platform tells of people and threads, and what the host says there outside of posts. No member throws or rejects. */

import type { Millis } from "../machine/id.ts";
import type { ThreadMessage, Quote, ChatMessage, SharedFile } from "./chat.ts";
import type { Place } from "./conversation.ts";
import type { Addressee, PrivateNote, SendFailure } from "./surface.ts";
import type { Language, Say } from "../i18n/say.ts";

/** Who somebody is, as the platform says it at this moment (D1, D2). */
export interface Person {
  readonly id: string;
  /** For quotes and the trace; never decides anything. */
  readonly name: string;
  readonly standing: "member" | "guest" | "external" | "bot" | "deactivated";
  /** Runs the workspace or the server. */
  readonly admin: boolean;
  /** Those of the groups asked for that hold the person. */
  readonly groups: readonly string[];
  /** In which they use the platform, where it says so and the host speaks it. */
  readonly language?: Language;
}

/** Whom PARLEY_APPROVERS names on a platform. */
export type Approver =
  | { readonly kind: "person"; readonly id: string }
  | { readonly kind: "group"; readonly id: string }
  | { readonly kind: "admins" }
  | { readonly kind: "members" };

/** `passing`: it may be read a moment later. */
export type Unread = { readonly kind: "unread"; readonly why: string; readonly passing: boolean };

export type PersonRead = { readonly kind: "person"; readonly person: Person } | Unread;

type EarlierRead =
  | {
      readonly kind: "messages";
      /** Oldest first. */
      readonly messages: readonly ThreadMessage[];
      /** Older ones were left out. */
      readonly cut: boolean;
      /** How many; absent if the platform does not tell. */
      readonly left?: number;
    }
  | Unread;

type TagsRead = { readonly kind: "tags"; readonly tags: readonly string[] } | Unread;

export type Fetched =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  /** `why` goes on after "NAME: ". */
  | { readonly kind: "refused"; readonly why: string };

export type PutResult =
  | { readonly kind: "put"; readonly message: string }
  /** `why` is a sentence for the person. */
  | { readonly kind: "refused"; readonly why: string };

/** The question which repository a place works on. */
export interface Picker {
  /** What was said and waits for it. */
  readonly message: string;
  /** Whoever may choose and is asked alone, where the platform can do that; null: the thread is told. */
  readonly alone: string | null;
  readonly text: string;
  /** Names of repositories, at most 100. */
  readonly choices: readonly string[];
  readonly say: Say;
}

/** Who somebody is, and how people read their id. */
interface People {
  /** The server in which this happens; null where the platform knows one alone, and in direct messages. */
  readonly server: string | null;
  /** `groups`: those to look into. */
  person(id: string, groups: readonly string[]): Promise<PersonRead>;
  /** How people read a person's or a group's id; the id itself where the platform does not tell. */
  label(id: string): Promise<string>;
}

/** What stands in a thread beside the words of who speaks. */
interface ThreadReader {
  /**
   * Messages of a thread after `since` (all where null) and before `until`: the first, the newest, `limit` of them, and
   * among these `about`, if it was read.
   */
  earlier(
    where: Place,
    range: {
      readonly since: string | null;
      readonly until: string;
      readonly limit: number;
      readonly about: string | null;
    },
  ): Promise<EarlierRead>;
  /** What the platform shows below a message, once it has had a moment to add it. */
  shown(said: ChatMessage): Promise<readonly Quote[]>;
  /** A file's bytes, at most `most` of them. */
  fetch(file: SharedFile, most: number): Promise<Fetched>;
  /** What people have marked a thread with: the tags of a forum post, as they are called. */
  tags(where: Place): Promise<TagsRead>;
}

/** Who can read a place, and how a message in it is opened. */
export interface Addresses {
  audience(place: string): Promise<"public" | "private" | null>;
  /** The address of a message, as people open it; null where the platform does not tell. */
  link(place: string, message: string): Promise<string | null>;
}

/** What the host says outside of posts. */
interface Voice {
  /** Whether a reply would reach that person alone now. */
  isPrivate(to: Addressee): boolean;
  /** Only that person sees it; a courtesy, never repeated. */
  whisper(to: Addressee, note: PrivateNote): Promise<void>;
  /**
   * Puts a question into the thread in the name of the person, or opens a thread with it. Answers the message, or why
   * not. The same `id` is put once, whatever crashes.
   */
  put(
    where: { readonly place: string; readonly root: string | null },
    question: {
      readonly id: string;
      readonly person: string;
      readonly text: string;
      readonly say: Say;
      /** Nothing older is the question. */
      readonly since?: Millis;
    },
  ): Promise<PutResult>;
  /**
   * Why no answer could be posted in the thread, or in one that is to be opened (`root` null): a sentence for the person. Null if
   * nothing is known that prevents it. Asked before a model is. Absent: never known.
   */
  barrier?(where: { readonly place: string; readonly root: string | null }, say: Say): string | null;
  /** A place gets its repository without anybody choosing, where there is one alone. */
  readonly bindsByItself: boolean;
  /** Asks which repository the place works on. Answers the message that stands there now; null if none does. */
  pick(where: Place, picker: Picker): Promise<string | null | SendFailure>;
  /** Takes that message away; a courtesy. */
  unpick(where: Place, note: string): Promise<void>;
  /** What somebody said, as it reads now; null where it is gone. */
  reread(where: Place, message: string): Promise<ChatMessage | null>;
}

export interface ChatPlatform extends People, ThreadReader, Addresses, Voice {}
