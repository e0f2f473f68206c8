/** Opening new threads on chat platforms, declared on the caller's floor. No member throws or rejects. */

import type { ConversationId, PersonId } from "../machine/id.ts";
import type { Conversation, ConversationOrigin, Place } from "./conversation.ts";
import type { SendFailure } from "./surface.ts";
import type { Say } from "../i18n/say.ts";

/** Why a thread is opened, as its first message says it. */
export interface ThreadOpening {
  /** Of the conversation that goes on in it: the same one opens one thread, whatever crashes. */
  readonly key: ConversationId;
  /** The thread that it comes from. Nothing older than its first message is the new one. */
  readonly from: Place;
  /** What the conversation is about: somebody's words. */
  readonly title: string;
  readonly mode: string;
  readonly by: PersonId;
  /** What the new thread is to the old one. */
  readonly why: ConversationOrigin["why"];
  /** The platform's ids of those who take part so far: where a thread is not for everybody, it is for them. */
  readonly people: readonly string[];
  /** In the language of the place. */
  readonly say: Say;
}

export type OpenThreadResult =
  /**
   * `thread`: the one that it comes from where a place has one conversation at a time. `link`: its address, as people open
   * it; null where the platform does not tell.
   */
  { readonly kind: "opened"; readonly thread: Place; readonly link: string | null } | SendFailure;

export interface Opener {
  /** One attempt. The platform is asked for a thread with the key before one is made. */
  open(opening: ThreadOpening): Promise<OpenThreadResult>;
  link(thread: Place): Promise<string | null>;
}

export type PrivateThreadResult =
  | { readonly kind: "threaded"; readonly thread: Place; readonly link: string | null }
  /** Conversations of that surface need no thread. */
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly why: string }
  /** The process ends: the next one does it. */
  | { readonly kind: "ended" };

/** Threads for conversations that go on elsewhere. */
export interface NewThreads {
  /**
   * Gives the conversation `opening.key` a thread on the platform of `from`; the same one however often it is asked.
   * Aborting `signal` leaves it to the next process.
   */
  open(
    from: Conversation,
    opening: Pick<ThreadOpening, "key" | "title" | "mode" | "by" | "why">,
    signal: AbortSignal,
  ): Promise<PrivateThreadResult>;
  /** That person's words begin it: whoever speaks in it beside them is the second one. */
  joined(from: Conversation, key: ConversationId, person: PersonId): Promise<void>;
}
