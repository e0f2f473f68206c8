/** The core's access to sources besides checkouts. No member throws or rejects. */

import type { Citation, ParsedCitation } from "../text/citation.ts";
import type { RepositoryBinding, Conversation } from "./conversation.ts";

/** Checks citations of new answers. */
export interface KnowledgeChecks {
  /**
   * Checks whether the index contains these addresses with the quoted text, in the given order. Addresses outside of the
   * channel's sources are omitted, because nothing is known about them.
   */
  check(conversation: Conversation, cited: readonly ParsedCitation[]): readonly Citation[];
}

/** Checks citations of posted answers. */
export interface CitedPages {
  /**
   * Returns whether cited pages still contain the quotes, in the given order. `unknown`: the source has not been read
   * completely.
   */
  stands(
    of: Pick<Conversation, "id" | "surface" | "repo">,
    cited: readonly Pick<Citation, "path" | "quote">[],
  ): readonly ("holds" | "gone" | "unknown")[];
}

/** Sources as channel settings. */
export interface KnowledgeEntries {
  /**
   * Converts typed text into a stored entry, or says in one sentence what is wrong with it. `repo`: the channel's repository.
   */
  entry(
    typed: string,
    repo: RepositoryBinding | null,
  ): { readonly kind: "entry"; readonly entry: string } | { readonly kind: "refused"; readonly why: string };
  /** Called after a person enabled or disabled a source. */
  changed(): void;
}

export interface ChannelKnowledge extends KnowledgeChecks, CitedPages, KnowledgeEntries {
  /** Called after a thread was solved. */
  threadsChanged(): void;
  figures(): KnowledgeFigures;
}

export interface KnowledgeFigures {
  readonly sources: number;
  readonly texts: number;
  /** Number of sources that cannot be read at present. */
  readonly failing: number;
  /** Size of the index file. */
  readonly bytes: number;
}

/** For a host without sources. */
export const NO_KNOWLEDGE: ChannelKnowledge = {
  check: () => [],
  stands: (_, cited) => cited.map(() => "unknown"),
  entry: () => ({ kind: "refused", why: "This host keeps no knowledge." }),
  changed: () => undefined,
  threadsChanged: () => undefined,
  figures: () => ({ sources: 0, texts: 0, failing: 0, bytes: 0 }),
};

/** Maximum number of sources of a channel. */
export const MOST_SOURCES = 20;
