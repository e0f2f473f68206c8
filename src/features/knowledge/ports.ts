/** What channels know beside their checkouts, as the tool and the command ask for it. No member throws or rejects. */

import type { Millis } from "../../machine/id.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import type { RepositoryBinding, Conversation } from "../../ports/conversation.ts";
import type { KnowledgeEntries } from "../../ports/knowledge.ts";

/** One place that answers a question. Everything in it but numbers was written by somebody out there. */
export interface KnowledgeHit {
  /** Of the very comment or section. */
  readonly address: string;
  /** What it belongs to: `issues of acme/shop`, or the address of a site. */
  readonly source: string;
  readonly title: string;
  readonly state: string | null;
  readonly version: string | null;
  /** When it was written or changed last; for a page when it was read. */
  readonly at: Millis;
  /** The part of it where the question's words stand. */
  readonly excerpt: string;
}

export type KnowledgeFound =
  /** `reading`: what is not read to its end yet, by name: more may be found later. */
  | { readonly kind: "found"; readonly hits: readonly KnowledgeHit[]; readonly reading: readonly string[] }
  | { readonly kind: "trouble"; readonly why: string };

/** For the tool: only what the conversation's own channel has switched on. */
export interface KnowledgeReader {
  find(conversation: Conversation, query: string): KnowledgeFound;
}

/** How far one source is. */
export interface SourceStatus {
  /** As a channel has it: `issues`, `https://docs.example.com/`. */
  readonly entry: string;
  /** Texts of it that can be found. */
  readonly texts: number;
  /** When it was last read to its end; null before. */
  readonly read: Millis | null;
  /** It is being read. */
  readonly reading: boolean;
  /** What keeps it from being read, one sentence for people; null where nothing does. */
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
  /** Looks at all of it again, from the beginning. */
  refresh(entries: readonly string[], repo: RepositoryBinding | null, at: ChannelAddress): Promise<void>;
}
