/** Which host does what. A host that is alone does everything itself. */

import type { ConversationId } from "../machine/id.ts";
import type { ActResult, Bot, ConversationChange } from "./bot.ts";
import type { AnswerId } from "./answers.ts";
import type { ChatSurface } from "./connection.ts";
import type { ErasureRequest } from "./erasure.ts";
import type { WriteFailure } from "./host.ts";

export interface Ownership {
  /** Chat platforms, watches and what is done by the clock are this host's. */
  leads(): boolean;
  /** What of the conversations is this host's. Absent: all. */
  readonly mine?: Omit<OwnershipCheck, "given">;
  /** The bot that reaches a conversation, wherever it is. */
  route(local: LocalBot): Bot;
  /** In a conversation that this host has. */
  happened(id: ConversationId, change: ConversationChange): void;
  readonly led: RunAtLeader;
  /** Of a chat platform, for people. */
  standing(surface: Pick<ChatSurface, "off" | "standing">): string;
  /** Settles once it is known whether this host leads, and what that brings has begun. */
  start(begins: Begins): Promise<void>;
}

/** What of the conversations of several hosts is this one's. */
export interface OwnershipCheck {
  readonly isMine: (id: ConversationId) => boolean;
  /** Takes it where it is free. */
  readonly take: (id: ConversationId) => Promise<unknown>;
  /** Another host has it now: what is known here of its checkout does not hold any more. */
  readonly given: (id: ConversationId) => void;
}

/**
 * The same port, with the members that `members` names carried out by the host that leads. Ports name those next to their types.
 * A host that is alone gets its own port back.
 */
export type RunAtLeader = <Port extends object>(
  name: string,
  own: Port,
  members: (by: LedMember) => Port,
) => Port;

/** What is given and answered is what JSON can say. `away`: the answer if the host that leads gives none. */
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
  /** Once: this host leads from now on. */
  readonly lead: () => Promise<unknown>;
  /** Other hosts wrote rows of these tables. */
  readonly changed: (tables: ReadonlySet<string>) => void;
  /** What happened in a conversation of another host. */
  readonly heard: (id: ConversationId, change: ConversationChange) => void;
}

/** Which of several hosts this is. */
export interface HostRole {
  /** Null where it is alone. */
  readonly host: string | null;
  readonly leads: () => boolean;
  readonly members: () => readonly string[];
}

/** The bot of one host, with what takes conversations over and gives them away. */
export interface LocalBot extends Bot {
  /** Wakes what was interrupted and handles what was claimed but not answered when the last process ended. */
  recover(): Promise<void>;
  /** `copies`: words that are taken out wherever the conversation says them. */
  forget(id: ConversationId, request: ErasureRequest, copies?: readonly string[]): Promise<ActResult>;
  /** A person was forgotten, and rows beside conversations have changed. */
  forgotten(): void;
  /** What posts say of an answer has been stored anew. */
  shown(answer: AnswerId): void;
  /** `hand` makes it another host's; a question stays. What it does ends it, or is stopped for it. Null: done. */
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
