/** People read the text before a decision, so no two files may look the same (WG6). */

import { FIRST_BYTE } from "../../text/visible-diff.ts";

/** A byte outside valid UTF-8 becomes a character from `FIRST_BYTE` on, as does each byte of such a character in the file. */
export const decodeExactly = (bytes: Buffer): string =>
  bytes.toString("latin1").replaceAll(ENCODED, (found, single: string | undefined) => {
    const text = single === undefined ? Buffer.from(found, "latin1").toString("utf8") : "";
    return single === undefined && (text.codePointAt(0) ?? 0) < FIRST_BYTE ? text : asBytes(found);
  });

/** A UTF-8 sequence of several bytes, or one single byte. */
const ENCODED =
  /[\u00c2-\u00df][\u0080-\u00bf]|\u00e0[\u00a0-\u00bf][\u0080-\u00bf]|[\u00e1-\u00ec\u00ee\u00ef][\u0080-\u00bf]{2}|\u00ed[\u0080-\u009f][\u0080-\u00bf]|\u00f0[\u0090-\u00bf][\u0080-\u00bf]{2}|[\u00f1-\u00f3][\u0080-\u00bf]{3}|\u00f4[\u0080-\u008f][\u0080-\u00bf]{2}|([\u0080-\u00ff])/g;

/** Inverse of `decodeExactly`. */
export const exactBytes = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/\P{ASCII}/gu, (found) => {
      const point = found.codePointAt(0) ?? 0;
      return point < FIRST_BYTE
        ? Buffer.from(found).toString("latin1")
        : String.fromCodePoint(point - FIRST_BYTE + 0x80);
    }),
    "latin1",
  );

const asBytes = (found: string): string =>
  Array.from(found, (byte) => String.fromCodePoint(FIRST_BYTE - 0x80 + (byte.codePointAt(0) ?? 0))).join("");
