/** What the operator has to know of, declared on the caller's floor: each told when it begins, and when it is over. */

import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { PutResult } from "./chat-platform.ts";
import type { Conversation } from "./conversation.ts";
import type { Done, WriteFailure } from "./host.ts";
import type { MicroUsd } from "./money.ts";
import type { QuestionRow } from "./store.ts";
import type { Button } from "./surface.ts";

/** Ids, names of the host's own, and numbers: nobody's words, no secrets. */
export type AlertFacts =
  /** The kernel holds less than at an earlier start. `frozen`: conversations that it held. */
  | { readonly kind: "sandbox"; readonly from: string; readonly to: string; readonly frozen: number }
  /** News alone: it is never told to be over. */
  | { readonly kind: "stronger"; readonly from: string; readonly to: string }
  /** `why` is the surface's own sentence, with the remedy. */
  | { readonly kind: "surface"; readonly surface: string; readonly why: string }
  | { readonly kind: "disk"; readonly free: number }
  | { readonly kind: "writes"; readonly code: WriteFailure["code"] }
  /** `share`: of the day's budget, in percent. */
  | { readonly kind: "budget"; readonly share: 80 | 100; readonly most: MicroUsd }
  | {
      readonly kind: "question";
      readonly wire: string;
      readonly conversation: ConversationId;
      readonly surface: string;
      readonly type: QuestionRow["type"];
      readonly askedAt: Millis;
    }
  /** The forge refuses the credential that the host has for it. `forge`: its host and the owner there. */
  | { readonly kind: "forge"; readonly forge: string }
  /** Our own code failed at a post, which went out as plain text. News alone. */
  | { readonly kind: "fault"; readonly surface: string; readonly conversation: ConversationId }
  /** The bound of a watch is reached: what it hears waits. */
  | { readonly kind: "watch"; readonly watch: string; readonly bound: "hour" | "money" }
  /** A watch failed three times in a row and hears nothing any more. `why` is a sentence of the host. */
  | { readonly kind: "watchOff"; readonly watch: string; readonly why: string }
  /** The channel in which somebody looks at answers before they are posted does not take them. */
  | { readonly kind: "review"; readonly surface: string; readonly place: string; readonly why: string }
  /** Catch-up left out so many channels without a conversation (0: none), and threads older than so many (0: none). News alone. */
  | { readonly kind: "missed"; readonly surface: string; readonly channels: number; readonly threads: number }
  /** The provider refuses the key, the account or the model. */
  | { readonly kind: "model"; readonly why: "auth" | "billing" | "not_found" };

/** What the host remembers of itself from one start to the next. */
export interface HostNotes {
  /** null where it never did. */
  note(name: string): string | null;
  setNote(name: string, value: string): Promise<Done>;
}

/** What the host says in a channel by itself. Markup is the adapter's. */
export interface HostMessage {
  readonly id: string;
  /** The host's own words. */
  readonly text: string;
  /** Words of others, quoted below. */
  readonly words?: string;
  readonly link?: string | null;
  /** The platform's id of the message that reads so from now on. */
  readonly edits?: string;
  /** In the thread of that message, and not at the top of the channel. */
  readonly root?: string;
  readonly button?: Button;
}

/** Tells the operator, or a channel. The same `id` is told once, whatever crashes. */
export type SendAlert = (place: string, line: HostMessage) => Promise<PutResult>;

/** A question as it is told in the approvers' channel. */
export interface Announcement {
  readonly type: QuestionRow["type"];
  readonly askedAt: Millis;
  /** The address of its thread; null where the platform does not tell. */
  readonly thread: string | null;
  /** Null where the thread is not public. */
  readonly about: { readonly conversation: Conversation; readonly asker: PersonId | null } | null;
  /** Null while it waits. */
  readonly outcome:
    | (Pick<QuestionRow, "by" | "at"> & {
        readonly status: Exclude<QuestionRow["status"], "pending">;
      })
    | null;
}

/** A chat platform that is wanted and has no connection. */
export interface MissingPlatform {
  readonly surface: string;
  /** When the loss was noticed. */
  readonly since: Millis;
  /** Whether it lasts for two minutes or longer. */
  readonly isLong: boolean;
}
