/** Questions told in the approvers' channel, declared on the caller's floor. */

import type { Millis, PersonId } from "../core/id.ts";
import type { Conversation, QuestionRow } from "./ports.ts";
import type { PutResult } from "./ports-chat.ts";

/** A question as it is told in the approvers' channel. */
export interface Announcement {
  /** Wire id of the question. */
  readonly id: string;
  /** The message that told it before; null the first time. */
  readonly message: string | null;
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

/** Tells a question in a place, or what became of it; the same `id` is told once, whatever crashes. */
export type Announce = (place: string, announcement: Announcement) => Promise<PutResult>;
