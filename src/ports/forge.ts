/** What a forge answers, and how git goes there with the operator's credentials. */

import type { Millis } from "../machine/id.ts";
import type { Repo } from "./conversation.ts";

/** `why` is one sentence for the model and for people: what is wrong and who can do what about it. */
export type ForgeResult<T> =
  | { readonly kind: "found"; readonly value: T }
  | {
      readonly kind: "trouble";
      readonly why: string;
      /** What was to be written may have been written: the answer was lost, and nobody could look. */
      readonly perhaps?: true;
      /** The forge limits how often it may be asked: milliseconds until it may be again, where it says so. */
      readonly wait?: Millis;
    };

export interface GitProxies {
  /** Null where the host has no credential for the repository: git goes there itself. Rejects where no door can be made. */
  open(repo: Repo): Promise<GitProxy | null>;
}

export interface GitProxy {
  /** On the host's 127.0.0.1. */
  readonly port: number;
  /** What git is given in place of the repository's address. */
  readonly address: string;
  /** For git's environment: how to go through, with the word that lets this fetch in and nobody else. */
  readonly config: Readonly<Record<string, string>>;
  /** What stood in the way behind the door, last; null where nothing did. */
  refusal(): ForgeRefusal | null;
  /** Ends what still goes through. */
  close(): Promise<void>;
}

export type ForgeRefusal =
  /** The forge refuses the credential itself. */
  | { readonly kind: "expired" }
  /** The credential is good, and opens no such repository. */
  | { readonly kind: "notGiven" }
  /** `to`: the new name, where the forge says one. */
  | { readonly kind: "moved"; readonly to: string | null }
  | { readonly kind: "unreachable" }
  | { readonly kind: "untrusted" };
