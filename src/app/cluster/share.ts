/** What of Parley's work one host does: all of it where it is alone, its share where it is one of several. */

import type { ConversationId } from "../../machine/id.ts";
import type { Bot, Change } from "../../ports/bot.ts";
import type { ChatSurface, Take } from "../../ports/connection.ts";
import type { Changed, OnLeader } from "../../ports/cluster/fleet.ts";
import type { Routes } from "../../runtime/chat/route.ts";
import type { Mine, RunningBot } from "../../runtime/bot/bot.ts";

export interface Share {
  /** Chat platforms, work of features and what is done by the clock are this host's. */
  leads(): boolean;
  readonly mine?: Omit<Mine, "given">;
  /** Whoever asks it reaches the conversation wherever it is. */
  route(local: RunningBot): Bot;
  /** In a conversation that this host has. */
  happened(id: ConversationId, change: Change): void;
  readonly onLeader: OnLeader;
  routes(own: Routes): Routes;
  taking(surface: string, own: Take): Take;
  /** Of a chat platform, for people. */
  standing(surface: Standing): string;
  /** Settles once it is known whether this host leads, and what that brings has begun. */
  start(begins: Begins): Promise<void>;
}

type Standing = Pick<ChatSurface, "off" | "standing">;

interface Begins {
  readonly lead: () => Promise<unknown>;
  readonly changed: (changed: readonly Changed[]) => void;
}
