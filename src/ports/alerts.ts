/** The operator is notified when an alert begins and when it is over. */

import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { PutResult } from "./chat-platform.ts";
import type { Conversation } from "./conversation.ts";
import type { Done, WriteFailure } from "./host.ts";
import type { MicroUsd } from "./money.ts";
import type { QuestionRow } from "./store.ts";
import type { Button, Content } from "./surface.ts";

/** Ids, names chosen by the host, and numbers; no text of people or models, no secrets. */
export type AlertFacts =
  /** The kernel enforces less than at an earlier start. `frozen`: number of conversations that were confined until then. */
  | { readonly kind: "sandbox"; readonly from: string; readonly to: string; readonly frozen: number }
  /** The alert has no end. */
  | { readonly kind: "stronger"; readonly from: string; readonly to: string }
  /** `why`: the surface's own sentence, with the remedy. */
  | { readonly kind: "surface"; readonly surface: string; readonly why: string }
  | { readonly kind: "disk"; readonly free: number }
  | { readonly kind: "writes"; readonly code: WriteFailure["code"] }
  /** `share`: percent of the daily budget. */
  | { readonly kind: "budget"; readonly share: 80 | 100; readonly most: MicroUsd }
  | {
      readonly kind: "question";
      readonly wire: string;
      readonly conversation: ConversationId;
      readonly surface: string;
      readonly type: QuestionRow["type"];
      readonly askedAt: Millis;
    }
  | { readonly kind: "forge"; readonly forge: string }
  /** Parley's own code failed for a post, which was sent as plain text instead. The alert has no end. */
  | { readonly kind: "fault"; readonly surface: string; readonly conversation: ConversationId }
  /** The limit of a watch is reached, so its events wait. */
  | { readonly kind: "watch"; readonly watch: string; readonly bound: "hour" | "money" }
  /** A limit of a watch left out posts of people. `count`: their number within the first minute. */
  | {
      readonly kind: "postsLeft";
      readonly watch: string;
      readonly bound: "posts" | "threads" | "looks" | "money" | "author";
      readonly count: number;
    }
  /** A watch brought the bot into a new public channel because of the channel's name. The alert ends once it is reported. */
  | { readonly kind: "watchJoined"; readonly watch: string; readonly surface: string; readonly place: string }
  /** A watch failed three times in a row and is switched off. `why`: a sentence of the host. */
  | { readonly kind: "watchOff"; readonly watch: string; readonly why: string }
  | { readonly kind: "review"; readonly surface: string; readonly place: string; readonly why: string }
  /** Catch-up skipped this many channels without a conversation and this many old threads. The alert has no end. */
  | { readonly kind: "missed"; readonly surface: string; readonly channels: number; readonly threads: number }
  | { readonly kind: "model"; readonly why: "auth" | "billing" | "not_found" };

export interface HostNotes {
  note(name: string): string | null;
  setNote(name: string, value: string): Promise<Done>;
}

/** The adapter adds the markup. */
export interface HostMessage {
  readonly id: string;
  readonly text: string;
  /** Untrusted text, quoted below the host's own. */
  readonly words?: string;
  readonly link?: string | null;
  /** Platform id of an earlier message that this one replaces. */
  readonly edits?: string;
  /** Platform id of the message whose thread gets this one; absent for the top of the channel. */
  readonly root?: string;
  readonly button?: Button;
  readonly buttons?: readonly Button[];
  /** People and groups that the message notifies, as `slack:ID` and `slack:group:ID`; nobody if absent. */
  readonly notify?: readonly string[];
}

/** Each `id` is posted once, despite crashes. */
export type SendAlert = (place: string, line: HostMessage) => Promise<PutResult>;

export interface Announcement {
  readonly type: QuestionRow["type"];
  readonly askedAt: Millis;
  /** Address of the thread; null if the platform provides none. */
  readonly thread: string | null;
  /** Null if the thread is not public. */
  readonly about: { readonly conversation: Conversation; readonly asker: PersonId | null } | null;
  /** Card with its buttons; null if the question is decided or the thread is not public. */
  readonly card: Content | null;
  readonly outcome:
    | (Pick<QuestionRow, "by" | "at"> & {
        readonly status: Exclude<QuestionRow["status"], "pending">;
      })
    | null;
}

/** A configured chat platform without a connection. */
export interface MissingPlatform {
  readonly surface: string;
  readonly since: Millis;
  /** Whether the loss has lasted two minutes or longer. */
  readonly isLong: boolean;
}
