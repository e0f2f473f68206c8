import type { NoteChange } from "./note.ts";

/** What `GET /api/memory` answers. Times are milliseconds since 1970. */
export interface MemoryBody {
  readonly notes: readonly {
    readonly id: string;
    readonly channel: string;
    readonly number: number;
    readonly text: string;
    readonly repo: string | null;
    readonly author: string;
    /** Null if the author added the note. */
    readonly approver: string | null;
    readonly at: number;
    readonly conversation: string | null;
    /** Address of the message that the note comes from; null if unknown. */
    readonly messageLink: string | null;
    readonly expires: number | null;
    readonly isPinned: boolean;
    readonly isPublic: boolean;
    /** Why the note is not used; null while it is used. */
    readonly stale: string | null;
  }[];
  /** Newest first. */
  readonly changes: readonly {
    readonly channel: string;
    readonly number: number;
    readonly at: number;
    readonly what: NoteChange["what"];
    /** Null for the host, and for a person whose data was erased. */
    readonly person: string | null;
    readonly before: string | null;
  }[];
  readonly proposals: readonly {
    readonly id: string;
    readonly channel: string;
    readonly text: string;
    readonly author: string;
    readonly at: number;
    readonly conversation: string;
  }[];
}
