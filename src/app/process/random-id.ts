/** Random ids for use outside of the core: 130 bits in lower-case letters and digits (D10). */

import { randomBytes } from "node:crypto";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const LENGTH = 26;

/** The alphabet has 32 letters, so each random byte yields exactly five bits without bias. */
export const randomId = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
