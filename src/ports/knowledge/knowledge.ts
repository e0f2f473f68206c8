/** What channels know beside their checkouts, declared on the caller's floor. No member throws or rejects. */

import type { Citation, Parsed } from "../../text/citation.ts";
import type { Millis } from "../../machine/id.ts";
import type { ChannelAddress } from "../channels.ts";
import type { Bound, Conversation } from "../conversation.ts";

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

/** For the tool and for answers: only what the conversation's own channel has switched on. */
export interface KnowledgeReader {
  find(conversation: Conversation, query: string): KnowledgeFound;
  /**
   * Whether these addresses are in the index and hold the words that are quoted, in the order given. What lies outside
   * of the channel's sources is left out: nothing is known of it.
   */
  check(conversation: Conversation, cited: readonly Parsed[]): readonly Citation[];
}

/** For answers that were posted. */
export interface CitedPages {
  /** Whether pages that were cited still hold the words, in the order given. `unknown`: their source is not read to its end. */
  stands(
    of: Pick<Conversation, "id" | "surface" | "repo">,
    cited: readonly Pick<Citation, "path" | "quote">[],
  ): readonly ("holds" | "gone" | "unknown")[];
}

/** How far one source is. */
export interface KnowledgeStanding {
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

/** For commands, the console, the figures and doctor. */
export interface KnowledgeBook {
  /** An entry as channels keep it, or one sentence on what is wrong with what somebody typed. `repo`: what the channel works on. */
  entry(
    typed: string,
    repo: Bound | null,
  ): { readonly kind: "entry"; readonly entry: string } | { readonly kind: "refused"; readonly why: string };
  /** `at`: the channel. */
  standings(entries: readonly string[], repo: Bound | null, at: ChannelAddress): readonly KnowledgeStanding[];
  /** Somebody has switched something on or off. */
  changed(): void;
  /** Looks at all of it again, from the beginning. */
  refresh(entries: readonly string[], repo: Bound | null, at: ChannelAddress): Promise<void>;
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
export const NO_KNOWLEDGE: KnowledgeBook = {
  entry: () => ({ kind: "refused", why: "This host keeps no knowledge." }),
  standings: () => [],
  changed: () => undefined,
  threadsChanged: () => undefined,
  refresh: () => Promise.resolve(),
  figures: () => ({ sources: 0, texts: 0, failing: 0, bytes: 0 }),
};

/** As many as a channel has. */
export const MOST_SOURCES = 20;
