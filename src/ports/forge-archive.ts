/** What is read of a project to be kept beside its checkout, declared on the caller's floor. No member throws or rejects. */

import type { Millis } from "../machine/id.ts";
import type { Repo } from "./conversation.ts";
import type { ForgeResult } from "./forge.ts";

/** What a forge may have of a project. */
export const FORGE_SOURCE_KINDS = ["issues", "discussions", "releases", "wiki"] as const;
export type ForgeSourceKind = (typeof FORGE_SOURCE_KINDS)[number];

/** Solved threads of the channels that the same people can read: switched on as a channel's other sources are. */
export const THREAD_ARCHIVE = "threads";

/** One text that somebody wrote, at an address of its own. */
export interface ArchivedText {
  /** The same as long as it is the same text, edited or not; unique in its source. */
  readonly key: string;
  /** Key of what it answers; absent or null where it stands for itself. It goes with that, and has its title and state. */
  readonly of?: string | null;
  readonly address: string;
  readonly title: string;
  readonly text: string;
  /** As in `open`, `closed`, `answered`; absent or null where there is none. */
  readonly state?: string | null;
  /** Of the software that it is about, where it says so. */
  readonly version?: string | null;
  /** When it was written or changed last. */
  readonly at: Millis;
}

export interface ArchivePage {
  readonly leaves: readonly ArchivedText[];
  /** Where to go on, now or another day. */
  readonly next: string;
  /** There is nothing more at present. */
  readonly isLast: boolean;
  /** The forge is to be left alone until then: what is left of its allowance is for people. Null where it is large enough. */
  readonly rest: Millis | null;
}

/** One project. What changed last comes last; what was deleted is not told. */
export interface ForgeArchive {
  /** `acme/shop`, with the host before it where that is not github.com. */
  readonly name: string;
  /** Why it cannot have that at all, one sentence for people; null where it may. */
  lacks(what: ForgeSourceKind): string | null;
  /** Whether the address is of a text of that kind, there or not. */
  holds(what: ForgeSourceKind, address: string): boolean;
  /** `from`: a page's `next`; null for everything. */
  read(what: ForgeSourceKind, from: string | null, signal: AbortSignal): Promise<ForgeResult<ArchivePage>>;
}

export interface Archives {
  /** Null where the repository is on no known forge. */
  of(repo: Repo): ForgeArchive | null;
}
