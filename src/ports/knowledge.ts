/** No member throws or rejects. */

import type { Citation, ParsedCitation } from "../text/citation.ts";
import type { ChannelAddress } from "./channels.ts";
import type { RepositoryBinding, Conversation } from "./conversation.ts";

export interface KnowledgeChecks {
  /** In the given order. Addresses outside of the channel's sources are omitted, because nothing is known about them. */
  check(conversation: Conversation, cited: readonly ParsedCitation[]): readonly Citation[];
}

export interface CitedPages {
  /** In the given order. `unknown`: the source has not been read completely. */
  stands(
    of: Pick<Conversation, "id" | "surface" | "repo">,
    cited: readonly Pick<Citation, "path" | "quote">[],
  ): readonly ("holds" | "gone" | "unknown")[];
}

export interface KnowledgeEntries {
  /** Converts typed text into a stored entry. `repo`: the channel's repository. `why`: one sentence. */
  entry(
    typed: string,
    repo: RepositoryBinding | null,
  ): { readonly kind: "entry"; readonly entry: string } | { readonly kind: "refused"; readonly why: string };
  changed(): void;
}

export interface KnowledgeLookup {
  /** Returns texts of a channel's sources, the best match first. `entries`, `repo`: the channel's settings. */
  near(
    channel: ChannelAddress & {
      readonly entries: readonly string[];
      readonly repo: RepositoryBinding | null;
    },
    query: string,
    most: number,
  ): readonly { readonly title: string; readonly address: string; readonly excerpt: string }[];
}

export interface ChannelKnowledge extends KnowledgeChecks, CitedPages, KnowledgeEntries, KnowledgeLookup {
  threadsChanged(): void;
  figures(): KnowledgeFigures;
}

export interface KnowledgeFigures {
  readonly sources: number;
  readonly texts: number;
  readonly failing: number;
  readonly bytes: number;
}

export const NO_KNOWLEDGE: ChannelKnowledge = {
  check: () => [],
  stands: (_, cited) => cited.map(() => "unknown"),
  near: () => [],
  entry: () => ({ kind: "refused", why: "This host keeps no knowledge." }),
  changed: () => undefined,
  threadsChanged: () => undefined,
  figures: () => ({ sources: 0, texts: 0, failing: 0, bytes: 0 }),
};

/** Per channel. */
export const MOST_SOURCES = 20;
