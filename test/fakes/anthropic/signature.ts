/** The signature this fake puts on a thinking block, and asks back unchanged. */

import { createHash } from "node:crypto";

export const signatureOf = (thinking: string): string =>
  createHash("sha256").update("parley-fake-thinking\n").update(thinking).digest("base64");
