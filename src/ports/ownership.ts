/** Which host does which work. A host that is alone does everything itself. */

import type { ConversationId } from "../machine/id.ts";
import type { ActResult, Bot, ConversationChange } from "./bot.ts";
import type { AnswerId } from "./answers.ts";
import type { ChatSurface } from "./connection.ts";
import type { ErasureRequest } from "./erasure.ts";
import type { WriteFailure } from "./host.ts";

export interface Ownership {
  /** Whether this host serves the chat platforms, the watches and the scheduled work. */
  leads(): boolean;
  /** Absent if this host has all conversations. */
  readonly mine?: Omit<OwnershipCheck, "given">;
  /** Wraps the bot so that it reaches a conversation on any host. */
  route(local: LocalBot): Bot;
  happened(id: ConversationId, change: ConversationChange): void;
  readonly led: RunAtLeader;
  standing(surface: Pick<ChatSurface, "off" | "standing">): string;
  /** Settles once the leader is known. If this host leads, its additional work has begun. */
  start(begins: Begins): Promise<void>;
}

export interface OwnershipCheck {
  readonly isMine: (id: ConversationId) => boolean;
  readonly take: (id: ConversationId) => Promise<unknown>;
  /** Called when another host owns the conversation. Data about its checkout here is then outdated. */
  readonly given: (id: ConversationId) => void;
}

/** Lets the leader carry out the port's `members`, which ports name next to their types. A lone host gets its own port back. */
export type RunAtLeader = <Port extends object>(
  name: string,
  own: Port,
  members: (by: LedMember) => Port,
) => Port;

/** Arguments and results must be JSON values. `away`: result if the leader does not answer. */
export type LedMember = <Given extends readonly unknown[], Answer>(
  member: string,
  own: (...given: Given) => Promise<Answer>,
  away: Answer,
) => (...given: Given) => Promise<Answer>;

export const LEADER_AWAY: WriteFailure = {
  kind: "failed",
  code: "io",
  message: "The host that does this does not answer. Try again in a moment.",
};

interface Begins {
  readonly lead: () => Promise<unknown>;
  readonly changed: (tables: ReadonlySet<string>) => void;
  readonly heard: (id: ConversationId, change: ConversationChange) => void;
}

export interface HostRole {
  readonly host: string | null;
  readonly leads: () => boolean;
  readonly members: () => readonly string[];
}

export interface LocalBot extends Bot {
  /** Starts interrupted conversations, and handles claims without an outcome from the last process. */
  recover(): Promise<void>;
  /** `copies`: texts to erase wherever the conversation repeats them. */
  forget(id: ConversationId, request: ErasureRequest, copies?: readonly string[]): Promise<ActResult>;
  forgotten(): void;
  /** Called after the data that posts show of an answer has been stored. */
  shown(answer: AnswerId): void;
  /** Transfers the conversation with `hand`. `stops`: whether a running turn is stopped, not awaited. Null after success. */
  give(
    id: ConversationId,
    stops: boolean,
    hand: () => Promise<WriteFailure | null>,
  ): Promise<WriteFailure | null>;
}

export const SINGLE_HOST: Ownership = {
  leads: () => true,
  route: (local) => local,
  happened: () => undefined,
  led: (_, own) => own,
  standing: (surface) => surface.standing(),
  start: async ({ lead }) => void (await lead()),
};
