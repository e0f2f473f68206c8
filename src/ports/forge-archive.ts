/** No member throws or rejects. */

import type { Millis } from "../machine/id.ts";
import type { Repo } from "./conversation.ts";
import type { ForgeResult } from "./forge.ts";

export const FORGE_SOURCE_KINDS = ["issues", "discussions", "releases", "wiki"] as const;
export type ForgeSourceKind = (typeof FORGE_SOURCE_KINDS)[number];

/** Source of solved threads in channels with the same readers; enabled like a channel's other sources. */
export const THREAD_ARCHIVE = "threads";

export interface ArchivedText {
  /** Stable while the text is edited; unique in its source. */
  readonly key: string;
  /** Key of the text that this one answers, from which title, state and removal come; absent or null if it answers none. */
  readonly of?: string | null;
  readonly address: string;
  readonly title: string;
  readonly text: string;
  /** As in `open`, `closed`, `answered`; absent or null if there is none. */
  readonly state?: string | null;
  /** Software version that the text is about, if it names one. */
  readonly version?: string | null;
  readonly at: Millis;
}

export interface ArchivePage {
  readonly leaves: readonly ArchivedText[];
  /** Position of the next page, valid also on later days. */
  readonly next: string;
  readonly isLast: boolean;
  /** Time until which the forge must not be asked, because the rest of its rate limit is for people. */
  readonly rest: Millis | null;
}

/** In the order of their last change. Deleted texts are not reported. */
export interface ForgeArchive {
  /** `acme/shop`, with the host in front unless it is github.com. */
  readonly name: string;
  /** Returns why the project cannot have the source, in one sentence for people; null if it may. */
  lacks(what: ForgeSourceKind): string | null;
  /** Whether the address belongs to a text of the kind `what`, existing or not. */
  holds(what: ForgeSourceKind, address: string): boolean;
  /** `from`: `next` of a page; null starts from the beginning. */
  read(what: ForgeSourceKind, from: string | null, signal: AbortSignal): Promise<ForgeResult<ArchivePage>>;
}

export interface Archives {
  of(repo: Repo): ForgeArchive | null;
}
