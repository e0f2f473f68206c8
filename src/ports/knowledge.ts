/** What channels know beside their checkouts, as the core asks for it; declared on the caller's floor. No member throws or rejects. */

import type { Citation, ParsedCitation } from "../text/citation.ts";
import type { RepositoryBinding, Conversation } from "./conversation.ts";

/** For answers. */
export interface KnowledgeChecks {
  /**
   * Whether these addresses are in the index and hold the words that are quoted, in the order given. What lies outside
   * of the channel's sources is left out: nothing is known of it.
   */
  check(conversation: Conversation, cited: readonly ParsedCitation[]): readonly Citation[];
}

/** For answers that were posted. */
export interface CitedPages {
  /** Whether pages that were cited still hold the words, in the order given. `unknown`: their source is not read to its end. */
  stands(
    of: Pick<Conversation, "id" | "surface" | "repo">,
    cited: readonly Pick<Citation, "path" | "quote">[],
  ): readonly ("holds" | "gone" | "unknown")[];
}

/** For settings of channels. */
export interface KnowledgeEntries {
  /** An entry as channels keep it, or one sentence on what is wrong with what somebody typed. `repo`: what the channel works on. */
  entry(
    typed: string,
    repo: RepositoryBinding | null,
  ): { readonly kind: "entry"; readonly entry: string } | { readonly kind: "refused"; readonly why: string };
  /** Somebody has switched something on or off. */
  changed(): void;
}

export interface ChannelKnowledge extends KnowledgeChecks, CitedPages, KnowledgeEntries {
  /** A thread was solved. */
  threadsChanged(): void;
  figures(): KnowledgeFigures;
}

export interface KnowledgeFigures {
  readonly sources: number;
  readonly texts: number;
  /** Sources that something keeps from being read. */
  readonly failing: number;
  /** Of the file. */
  readonly bytes: number;
}

/** Where nothing is kept beside checkouts. */
export const NO_KNOWLEDGE: ChannelKnowledge = {
  check: () => [],
  stands: (_, cited) => cited.map(() => "unknown"),
  entry: () => ({ kind: "refused", why: "This host keeps no knowledge." }),
  changed: () => undefined,
  threadsChanged: () => undefined,
  figures: () => ({ sources: 0, texts: 0, failing: 0, bytes: 0 }),
};

/** As many as a channel has. */
export const MOST_SOURCES = 20;
