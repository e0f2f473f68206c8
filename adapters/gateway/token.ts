/** Tokens of requests, compared without telling where they differ. */

import { createHash, timingSafeEqual } from "node:crypto";

export const bearer = (header: string | undefined): string =>
  /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? "";

export const isSecret = (given: string, secret: string): boolean =>
  given !== "" && timingSafeEqual(digest(given), digest(secret));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
