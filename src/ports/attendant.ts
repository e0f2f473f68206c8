/** Work that a feature does for each chat platform of a host. No member throws or rejects. */

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

export interface AttendedRoom extends Ambient {
  readonly name: string;
  readonly bot: Pick<Bot, "act">;
  readonly store: Pick<Store, "load" | "question" | "pendingQuestion" | "words">;
  readonly chat: Pick<ChatStore, "waiting" | "channel">;
  readonly ledger: Pick<Ledger, "thread">;
  readonly cards: Cards;
  readonly toolLooks: FindCallWording;
  /** Renders in the language of the channel. Masks secrets and never throws. */
  readonly rendererAt: (place: string) => ReviewRenderer;
  readonly limits: Limits;
  readonly link: Opener["link"];
  /** `facts` is null when the alert is over. */
  readonly alert: (key: string, facts: AlertFacts | null) => void;
}

export interface Attendant extends PendingReviewTexts {
  heard(id: ConversationId, change: ConversationChange): void;
  start(): void;
  close(): Promise<unknown>;
}

export type Attend = (room: AttendedRoom) => Attendant;
