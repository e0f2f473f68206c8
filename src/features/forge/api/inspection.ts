/** What an entry of the operator's file is good for, as its forge says it: for doctor, which compares it with the tools. */

import type { Millis } from "../../../machine/id.ts";

export type CredentialInspection =
  | {
      readonly kind: "usable";
      /** When the forge takes it no more; null where it has no end, or the forge does not tell. */
      readonly expires: Millis | null;
      /** What the tools need and the forge does not give, by the forge's own names. */
      readonly lacking: readonly NeededRight[];
      /** What could not be found out from here, as one sentence; null where everything was. */
      readonly untried: string | null;
    }
  /** The forge does not take it. */
  | { readonly kind: "refused"; readonly why: string; readonly remedy: string }
  | { readonly kind: "unreached"; readonly why: string };

/** A right, and what would not work without it. */
export interface NeededRight {
  readonly right: string;
  readonly what: string;
}
