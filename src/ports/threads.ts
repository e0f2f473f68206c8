/** No member throws or rejects. */

import type { ConversationId, PersonId } from "../machine/id.ts";
import type { Conversation, ConversationOrigin, Place } from "./conversation.ts";
import type { SendFailure } from "./surface.ts";
import type { Say } from "../i18n/say.ts";

export interface ThreadOpening {
  /** Id of the conversation in the new thread. Each key opens one thread, despite crashes. */
  readonly key: ConversationId;
  /** The thread of the old conversation. Messages older than its first one cannot be the new thread. */
  readonly from: Place;
  /** Untrusted text. */
  readonly title: string;
  readonly mode: string;
  readonly by: PersonId;
  readonly why: ConversationOrigin["why"];
  /** Platform ids of the participants so far. Participants get access to a thread that is not public. */
  readonly people: readonly string[];
  readonly say: Say;
}

export type OpenThreadResult =
  /** `thread`: the old thread if a channel has one conversation at a time. `link`: null if the platform provides no address. */
  { readonly kind: "opened"; readonly thread: Place; readonly link: string | null } | SendFailure;

export interface Opener {
  /** Makes one attempt. The platform is searched for a thread with the key before one is created. */
  open(opening: ThreadOpening): Promise<OpenThreadResult>;
  link(thread: Place): Promise<string | null>;
}

export type PrivateThreadResult =
  | { readonly kind: "threaded"; readonly thread: Place; readonly link: string | null }
  /** Conversations of the surface need no thread. */
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "ended" };

export interface NewThreads {
  /** Repeated calls return the same thread. If `signal` aborts, the next process opens the thread. */
  open(
    from: Conversation,
    opening: Pick<ThreadOpening, "key" | "title" | "mode" | "by" | "why">,
    signal: AbortSignal,
  ): Promise<PrivateThreadResult>;
  /** Records the person whose message starts the conversation, so that another speaker counts as the second. */
  joined(from: Conversation, key: ConversationId, person: PersonId): Promise<void>;
}
