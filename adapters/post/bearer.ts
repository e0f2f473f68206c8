/** Tokens of requests: read from the head, and compared with the right one. */

import { createHash, timingSafeEqual } from "node:crypto";

/** The token that a program sends; null where there is none. */
export const bearerOf = (authorization: string | null | undefined): string | null =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;

/** In a time that says nothing about where the two differ, or how long the right one is. */
export const equalsInConstantTime = (given: string, right: string): boolean =>
  timingSafeEqual(digest(given), digest(right));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
