import { createHash, timingSafeEqual } from "node:crypto";

/** Returns the token that a program sends; null if there is none. */
export const bearerOf = (authorization: string | null | undefined): string | null =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;

/** Compares in a time that reveals neither the first difference nor the right token's length. */
export const equalsInConstantTime = (given: string, right: string): boolean =>
  timingSafeEqual(digest(given), digest(right));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
