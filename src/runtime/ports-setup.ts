/** How a repository's own set-up stands (docs/setup.md), as people are told it. */

import type { Millis } from "../core/id.ts";
import type { SetUpFailure } from "../core/words.ts";

/** `name`: 8 hexadecimal digits, another one where the script, a lock file or the branch is another. */
export type SetUpStanding =
  /** `since`: null while it waits for others to end. */
  | { readonly kind: "running"; readonly name: string; readonly since: Millis | null }
  /** `commit`: that it was made at; another with the same script and lock files has it, too. */
  | {
      readonly kind: "prepared";
      readonly name: string;
      readonly commit: string;
      /** Null for one that an earlier version of Parley made. */
      readonly at: Millis | null;
      readonly seconds: number;
    }
  | { readonly kind: "failed"; readonly name: string; readonly at: Millis; readonly failure: SetUpFailure }
  /** It is never run as it stands. */
  | { readonly kind: "unusable"; readonly why: string }
  /** The next thread that begins runs it. */
  | { readonly kind: "missing"; readonly name: string };
