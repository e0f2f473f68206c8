/**
 * How git, which runs in the sandbox, reaches a repository that only a credential of the host opens: through a door that
 * the host makes for one fetch, and behind which the host itself shows the credential. Git never holds it.
 */

import type { Repo } from "./ports.ts";

export interface Doors {
  /** Null where the host has no credential for the repository: git goes there itself. Rejects where no door can be made. */
  open(repo: Repo): Promise<Door | null>;
}

export interface Door {
  /** On the host's 127.0.0.1. */
  readonly port: number;
  /** What git is given in place of the repository's address. */
  readonly address: string;
  /** For git's environment: how to go through, with the word that lets this fetch in and nobody else. */
  readonly config: Readonly<Record<string, string>>;
  /** What stood in the way behind the door, last; null where nothing did. */
  refusal(): Refusal | null;
  /** Ends what still goes through. */
  close(): Promise<void>;
}

export type Refusal =
  /** The forge refuses the credential itself. */
  | { readonly kind: "expired" }
  /** The credential is good, and opens no such repository. */
  | { readonly kind: "notGiven" }
  /** `to`: the new name, where the forge says one. */
  | { readonly kind: "moved"; readonly to: string | null }
  | { readonly kind: "unreachable" }
  | { readonly kind: "untrusted" };
