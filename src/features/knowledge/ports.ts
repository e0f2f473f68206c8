/** No method of these ports throws or rejects. */

import type { Millis } from "../../machine/id.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import type { RepositoryBinding, Conversation } from "../../ports/conversation.ts";
import type { KnowledgeEntries } from "../../ports/knowledge.ts";

/** All texts of a match are untrusted content. */
export interface KnowledgeHit {
  /** Address of the matching comment or section. */
  readonly address: string;
  /** `issues of acme/shop`, or the address of a site. */
  readonly source: string;
  readonly title: string;
  readonly state: string | null;
  readonly version: string | null;
  /** Time of the last change; for a page, the time of the last read. */
  readonly at: Millis;
  readonly excerpt: string;
}

export type KnowledgeFound =
  /** `reading`: names of sources that are not read to their end yet, and may contain more matches. */
  | { readonly kind: "found"; readonly hits: readonly KnowledgeHit[]; readonly reading: readonly string[] }
  | { readonly kind: "trouble"; readonly why: string };

/** For the tool: searches only sources that the conversation's own channel has enabled. */
export interface KnowledgeReader {
  find(conversation: Conversation, query: string): KnowledgeFound;
}

export interface SourceStatus {
  /** As typed: `issues`, `https://docs.example.com/`. */
  readonly entry: string;
  /** Number of texts that can be found. */
  readonly texts: number;
  /** Time when the source was last read to its end; null before. */
  readonly read: Millis | null;
  readonly reading: boolean;
  /** One sentence for people with the reason why the source cannot be read; null if the source can be read. */
  readonly why: string | null;
}

export interface KnowledgeBook extends KnowledgeEntries {
  /** `at`: the channel. */
  standings(
    entries: readonly string[],
    repo: RepositoryBinding | null,
    at: ChannelAddress,
  ): readonly SourceStatus[];
  /** Reads the sources again from the beginning. */
  refresh(entries: readonly string[], repo: RepositoryBinding | null, at: ChannelAddress): Promise<void>;
}
