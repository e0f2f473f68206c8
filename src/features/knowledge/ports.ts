/** Queries of the tool and the command to the channel sources. No method throws or rejects. */

import type { Millis } from "../../machine/id.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import type { RepositoryBinding, Conversation } from "../../ports/conversation.ts";
import type { KnowledgeEntries } from "../../ports/knowledge.ts";

/** A match for a query. Everything in it except numbers is untrusted content. */
export interface KnowledgeHit {
  /** Address of the matching comment or section. */
  readonly address: string;
  /** Name of the source: `issues of acme/shop`, or the address of a site. */
  readonly source: string;
  readonly title: string;
  readonly state: string | null;
  readonly version: string | null;
  /** Time of the last change; for a page, the time of the last read. */
  readonly at: Millis;
  /** The part of the text with the query's terms. */
  readonly excerpt: string;
}

export type KnowledgeFound =
  /** `reading`: names of sources that are not read to their end yet, so that more may be found later. */
  | { readonly kind: "found"; readonly hits: readonly KnowledgeHit[]; readonly reading: readonly string[] }
  | { readonly kind: "trouble"; readonly why: string };

/** For the tool: searches only sources that the conversation's own channel has enabled. */
export interface KnowledgeReader {
  find(conversation: Conversation, query: string): KnowledgeFound;
}

/** State of one source. */
export interface SourceStatus {
  /** Entry as typed: `issues`, `https://docs.example.com/`. */
  readonly entry: string;
  /** Number of texts that can be found. */
  readonly texts: number;
  /** Time when the source was last read to its end; null before. */
  readonly read: Millis | null;
  /** Whether the source is being read. */
  readonly reading: boolean;
  /** One sentence for people with the reason why the source cannot be read; null if there is none. */
  readonly why: string | null;
}

/** For commands. */
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
