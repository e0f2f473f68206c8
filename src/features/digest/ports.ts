/** Digests for maintainers, what they are made of and where they are told; declared on the caller's floor. No member throws or rejects. */

import type { ConversationId, Millis, PersonId } from "../../machine/id.ts";
import type { Speaker } from "../../machine/words.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import type { Quote } from "../../ports/chat.ts";
import type { RepositoryBinding } from "../../ports/conversation.ts";
import type { AnswerId } from "../../ports/answers.ts";
import type { Done, WriteFailure } from "../../ports/host.ts";
import type { MicroUsd } from "../../ports/money.ts";
import type { Say } from "../../i18n/say.ts";
import type { Digest } from "./digest.ts";

/** A person's question, and what became of it. */
export interface DigestTurn {
  readonly at: Millis;
  readonly asker: PersonId;
  /** Null where its surface has none, as the console. */
  readonly thread: { readonly surface: string; readonly place: string; readonly root: string } | null;
  readonly repo: RepositoryBinding;
  /** In the asker's own words; null where they were taken back. */
  readonly question: string | null;
  /** Null where the turn ended without one. */
  readonly answer: Answered | null;
}

interface Answered extends AnswerId {
  readonly cost: MicroUsd;
  /** Paths and addresses, each once. */
  readonly cited: readonly string[];
  /** What it cites has changed since. */
  readonly isStale: boolean;
  /** Somebody said what they think of it; `FeedbackReader` says what. */
  readonly isJudged: boolean;
}

/** Whose questions count. `own`: of one channel. `readers`: what whoever reads it may read elsewhere too. Null: all of the host. */
export type DigestScope =
  | (ChannelAddress & { readonly server: string | null; readonly of: "own" | "readers" })
  | null;

/** A channel that is told every week. */
export interface DigestChannel extends ChannelAddress {
  /** The server of the channel; null where its platform knows one alone. */
  readonly server: string | null;
  /** The last week that was told there, or was over when it was switched on. */
  readonly told: string;
  readonly by: PersonId;
  readonly at: Millis;
}

/** Begins at `from` and ends before `to`. */
export interface DigestPeriod {
  readonly from: Millis;
  readonly to: Millis;
}

/** Which turns are read. */
export interface TurnSelection extends DigestPeriod {
  /** Null: all of the host. */
  readonly channel: (ChannelAddress & { readonly server: string | null }) | null;
  /** What everybody can read in other channels of its server counts too. */
  readonly others: boolean;
  /** Not everybody can read the channel: who reads there reads all of it. */
  readonly isClosed: boolean;
}

/** A page of turns, oldest first. `next`: where the next one begins; null where there is none. */
export interface TurnPage {
  readonly turns: readonly DigestTurn[];
  readonly next: string | null;
}

export interface DigestRows {
  digests(): readonly DigestChannel[];
  /** Inserts or replaces. */
  putDigest(channel: DigestChannel): Promise<Done>;
  dropDigest(surface: string, place: string): Promise<Done>;
  /** Of others' channels only answers that everybody can read. */
  answeredTurns(reach: TurnSelection, from: string | null): TurnPage;
  /** Who can read them is not looked at. */
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

/** Digests as people see and change them. Whether somebody may is asked before. */
export interface Digests {
  /** `week`: its Monday. */
  read(scope: DigestScope, week: string): Promise<Digest>;
  /** The week that it is now. */
  thisWeek(): string;
  /** Null where the channel is told nothing. */
  channel(surface: string, place: string): DigestChannel | null;
  on(channel: Omit<DigestChannel, "told" | "at">): Promise<Done>;
  off(surface: string, place: string): Promise<Done>;
  /** What the agent is asked where somebody wants the page that a topic lacks, as that is read in its thread. */
  task(scope: DigestScope, week: string, topic: string, say: Say): Promise<DraftRequest>;
  /** The same, begun in the console. */
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
