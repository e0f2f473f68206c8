/** The key that seals stored tokens and test secrets (src/store/base/seal.ts). */

import {
  CONCEALED,
  type Conceal,
  type FoundSealKey,
  type SealKey,
  type SealKeyResult,
} from "../../ports/sealing.ts";
import { findSealKey, openSealKey, sealText } from "../../store/base/seal.ts";
import type { Config } from "./config.ts";

type KeySettings = Pick<Config, "PARLEY_DATA" | "PARLEY_SEAL_KEY">;

/** A usable key is read once. `isShared`: other hosts use the same database, so a key of this host alone would open nothing there. */
export const sealKeyOf = (
  { PARLEY_DATA: data, PARLEY_SEAL_KEY: given }: KeySettings,
  isShared: boolean,
): (() => SealKeyResult) => {
  let known: SealKey | null = null;
  return () => {
    if (known !== null) return known;
    if (isShared && given === undefined) return { kind: "unusable", why: SHARED };
    const opened = openSealKey(data, given);
    if (opened.kind === "key") known = opened;
    return opened;
  };
};

/** `learn`: masks the text from now on. */
export const concealWith =
  (sealKey: () => SealKeyResult, learn: (text: string) => void): Conceal =>
  (text) => {
    learn(text.trim());
    const key = sealKey();
    return key.kind === "key" ? sealText(key, text, CONCEALED) : null;
  };

export const foundSealKey = ({ PARLEY_DATA: data, PARLEY_SEAL_KEY: given }: KeySettings): FoundSealKey =>
  findSealKey(data, given);

/** The text of a key that exists, for masking. */
export const sealKeySecrets = (config: KeySettings): readonly string[] => {
  const found = foundSealKey(config);
  return found.kind === "key" ? [Buffer.from(found.bytes).toString("base64")] : [];
};

const SHARED = "Several hosts share the database, so all of them need the same PARLEY_SEAL_KEY.";
