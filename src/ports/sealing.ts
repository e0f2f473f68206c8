/** Keys and results of sealed texts (src/store/base/seal.ts). */

export interface SealKey {
  readonly kind: "key";
  readonly bytes: Uint8Array;
  /** Identifies the key in sealed texts without revealing the key. */
  readonly id: string;
  readonly from: "setting" | "file";
}

export interface UnusableSealKey {
  readonly kind: "unusable";
  /** A sentence for the operator, with the remedy. */
  readonly why: string;
}

export type SealKeyResult = SealKey | UnusableSealKey;

/** `absent`: neither the setting nor the file exists, so that the next `openSealKey` creates the file. */
export type FoundSealKey = SealKeyResult | { readonly kind: "absent" };

/** `other key`: sealed with a key that this host does not have. `broken`: changed, cut off, or sealed for another context. */
export type OpenedSeal =
  | { readonly kind: "opened"; readonly text: string }
  | { readonly kind: "other key" }
  | { readonly kind: "broken" };

/** Context of texts that adapters seal before they store an event. */
export const CONCEALED = ["form"] as const;

/** Seals the text of a secret form before the event is stored. Null if there is no key; the text is then dropped. */
export type Conceal = (text: string) => string | null;
