/** Work of features for each chat platform that a host serves, declared on the caller's floor. No member throws or rejects. */

import type { ConversationId } from "../machine/id.ts";
import type { FindCallWording } from "../thread/call-text.ts";
import type { AlertFacts } from "./alerts.ts";
import type { Cards, PendingReviewTexts, ReviewRenderer } from "./review.ts";
import type { Bot, ConversationChange } from "./bot.ts";
import type { ChatStore } from "./chat-rows.ts";
import type { Ambient } from "./host.ts";
import type { Store } from "./store.ts";
import type { Ledger, Limits } from "./surface.ts";
import type { Opener } from "./threads.ts";

/** A chat platform as features work with it. */
export interface AttendedRoom extends Ambient {
  readonly name: string;
  readonly bot: Pick<Bot, "act">;
  readonly store: Pick<Store, "load" | "question" | "pendingQuestion" | "words">;
  readonly chat: Pick<ChatStore, "waiting" | "channel">;
  readonly ledger: Pick<Ledger, "thread">;
  readonly cards: Cards;
  readonly toolLooks: FindCallWording;
  /** In the language of the channel; masks secrets, and never throws. */
  readonly rendererAt: (place: string) => ReviewRenderer;
  readonly limits: Limits;
  readonly link: Opener["link"];
  /** Null: the trouble is over. */
  readonly alert: (key: string, facts: AlertFacts | null) => void;
}

export interface Attendant extends PendingReviewTexts {
  heard(id: ConversationId, change: ConversationChange): void;
  start(): void;
  /** Settles when what it had begun has ended. */
  close(): Promise<unknown>;
}

export type Attend = (room: AttendedRoom) => Attendant;
