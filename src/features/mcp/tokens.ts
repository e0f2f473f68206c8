/**
 * Refresh tokens: an issuer may replace the token at each renewal, which makes the operator's token invalid. The last token is
 * stored in the data directory, readable only by this user, and read each time, because doctor renews tokens too.
 */

import { hash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readJson, writeDurably } from "../../workspace/disk/durable.ts";

export interface Tokens {
  /** Returns the operator's token, or its latest replacement. */
  current(server: string, given: string): Promise<string>;
  keep(server: string, given: string, token: string): Promise<void>;
  /** Masks the secret everywhere from now on. */
  learn(secret: string): void;
}

/** `of`: hash of the replaced operator's token; a newer operator's token takes precedence. */
const kept = z.object({ of: z.string(), token: z.string() });

export const createTokens = (data: string, learn: Tokens["learn"]): Tokens => {
  const folder = join(data, "mcp");
  const pathOf = (server: string): string => join(folder, `${server}.json`);
  /** Tokens that could not be stored: the issuer no longer accepts an earlier token. */
  const unstored = new Map<string, string>();
  return {
    current: async (server, given) => {
      const stored = await readJson(pathOf(server), kept);
      const token = unstored.get(server) ?? (stored?.of === hashOf(given) ? stored.token : given);
      learn(token);
      return token;
    },
    keep: async (server, given, token) => {
      learn(token);
      unstored.set(server, token);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeDurably(pathOf(server), JSON.stringify({ of: hashOf(given), token }));
      unstored.delete(server);
    },
    learn,
  };
};

const hashOf = (token: string): string => hash("sha256", token);
