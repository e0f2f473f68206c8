/**
 * Result of testing a credential of the operator's file against its forge. Doctor compares the result with the needs of the
 * tools.
 */

import type { Millis } from "../../../machine/id.ts";

export type CredentialInspection =
  | {
      readonly kind: "usable";
      /** End of validity; null if the credential does not expire or the forge does not say. */
      readonly expires: Millis | null;
      /** Rights that the tools need but the credential lacks, in the forge's terms. */
      readonly lacking: readonly NeededRight[];
      /** One sentence about rights that could not be tested; null if all rights were tested. */
      readonly untried: string | null;
    }
  /** The forge rejects the credential. */
  | { readonly kind: "refused"; readonly why: string; readonly remedy: string }
  | { readonly kind: "unreached"; readonly why: string };

/** A right, and the features that do not work without it. */
export interface NeededRight {
  readonly right: string;
  readonly what: string;
}
