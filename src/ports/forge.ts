import type { Millis } from "../machine/id.ts";
import type { Repo } from "./conversation.ts";

/** `why`: one sentence for the model and for people, with the problem and the person who can solve it. */
export type ForgeResult<T> =
  | { readonly kind: "found"; readonly value: T }
  | {
      readonly kind: "trouble";
      readonly why: string;
      /** Set if the write may have succeeded: the response was lost and the host could not check. */
      readonly perhaps?: true;
      /** Set if the forge limits requests: milliseconds until the next one is allowed, if the forge reports them. */
      readonly wait?: Millis;
      /**
       * Set if the forge refuses the credential itself, or the right of its account. With `perhaps`, an earlier try may have
       * written nevertheless.
       */
      readonly refused?: "credential" | "right";
    };

/** A change of a pull request that a forge has reported. An event may name only branches or only numbers. */
export interface PullChange {
  /** Host and path of the repository in lower case: `github.com/acme/api`. */
  readonly repo: string;
  readonly numbers: readonly number[];
  readonly branches: readonly string[];
}

export interface GitProxies {
  /** Null if the host has no credential, so that git connects directly. Rejects if no proxy can be started. */
  open(repo: Repo): Promise<GitProxy | null>;
}

export interface GitProxy {
  /** Port on the host's 127.0.0.1. */
  readonly port: number;
  /** Address that git uses instead of the repository's address. */
  readonly address: string;
  /** Environment for git: the proxy settings, with a secret that admits only this fetch. */
  readonly config: Readonly<Record<string, string>>;
  refusal(): ForgeRefusal | null;
  close(): Promise<void>;
}

export type ForgeRefusal =
  /** The forge refuses the credential itself. */
  | { readonly kind: "expired" }
  | { readonly kind: "notGiven" }
  | { readonly kind: "moved"; readonly to: string | null }
  | { readonly kind: "unreachable" }
  | { readonly kind: "untrusted" };
