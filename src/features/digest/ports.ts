/** No member of these ports throws or rejects. */

import type { ConversationId, Millis, PersonId } from "../../machine/id.ts";
import type { Speaker } from "../../machine/vocabulary.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import type { Quote } from "../../ports/chat.ts";
import type { RepositoryBinding } from "../../ports/conversation.ts";
import type { AnswerId } from "../../ports/answers.ts";
import type { Done, WriteFailure } from "../../ports/host.ts";
import type { MicroUsd } from "../../ports/money.ts";
import type { Say } from "../../i18n/say.ts";
import type { Digest } from "./digest.ts";

export interface DigestTurn {
  readonly at: Millis;
  readonly asker: PersonId;
  /** Null if the surface has no threads, such as the console. */
  readonly thread: { readonly surface: string; readonly place: string; readonly root: string } | null;
  readonly repo: RepositoryBinding;
  /** Null if the question was erased. */
  readonly question: string | null;
  readonly answer: Answered | null;
}

interface Answered extends AnswerId {
  readonly cost: MicroUsd;
  /** Paths and addresses, each once. */
  readonly cited: readonly string[];
  readonly isStale: boolean;
  /** Whether the answer has feedback, which `FeedbackReader` reads. */
  readonly isJudged: boolean;
}

/**
 * Selects the counted questions. `own`: questions in one channel. `readers`: also questions elsewhere that the channel's
 * readers may see. Null: questions on the whole host.
 */
export type DigestScope =
  | (ChannelAddress & { readonly server: string | null; readonly of: "own" | "readers" })
  | null;

export interface DigestChannel extends ChannelAddress {
  /** The server of the channel; null if the platform has only one. */
  readonly server: string | null;
  /** The last posted week, or the last complete week when the digest was switched on. */
  readonly told: string;
  readonly by: PersonId;
  readonly at: Millis;
}

/** Starts at `from` and ends before `to`. */
export interface DigestPeriod {
  readonly from: Millis;
  readonly to: Millis;
}

export interface TurnSelection extends DigestPeriod {
  /** Null: the whole host. */
  readonly channel: (ChannelAddress & { readonly server: string | null }) | null;
  /** Whether public turns in other channels of the selected channel's server count too. */
  readonly others: boolean;
  /** Whether the channel is private: its readers can read all of its turns. */
  readonly isClosed: boolean;
}

/** Turns, the oldest first. `next`: start of the next page; null on the last page. */
export interface TurnPage {
  readonly turns: readonly DigestTurn[];
  readonly next: string | null;
}

export interface DigestRows {
  digests(): readonly DigestChannel[];
  putDigest(channel: DigestChannel): Promise<Done>;
  dropDigest(surface: string, place: string): Promise<Done>;
  /** From other channels, only public answers. */
  answeredTurns(reach: TurnSelection, from: string | null): TurnPage;
  /** Does not check the audience. */
  unansweredTurns(reach: TurnSelection, from: string | null): TurnPage;
}

export type DraftRequest =
  | {
      readonly kind: "task";
      readonly text: string;
      readonly shown: readonly Quote[];
      readonly repo: RepositoryBinding;
    }
  /** `why` is a sentence for the person. */
  | { readonly kind: "refused"; readonly why: string };

/** The caller checks permissions first. */
export interface Digests {
  /** `week`: the Monday. */
  read(scope: DigestScope, week: string): Promise<Digest>;
  thisWeek(): string;
  /** Null if the channel has no digest. */
  channel(surface: string, place: string): DigestChannel | null;
  on(channel: Omit<DigestChannel, "told" | "at">): Promise<Done>;
  off(surface: string, place: string): Promise<Done>;
  /** Request to the agent to draft a topic's missing page, as it appears in the thread. */
  task(scope: DigestScope, week: string, topic: string, say: Say): Promise<DraftRequest>;
  /** Starts the draft in the console. */
  draft(
    scope: DigestScope,
    week: string,
    topic: string,
    speaker: Speaker,
  ): Promise<
    | { readonly kind: "begun"; readonly conversation: ConversationId }
    | Extract<DraftRequest, { readonly kind: "refused" }>
    | WriteFailure
  >;
}
