/**
 * Refresh tokens: an issuer may give another one at each renewal, after which the operator's own is worth nothing. The
 * last one is kept in the data directory, for this user alone, and read anew each time: doctor renews as well.
 */

import { hash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readJson, writeDurably } from "../../workspace/disk/durable.ts";

export interface Tokens {
  /** The operator's, or what came of it since. */
  current(server: string, given: string): Promise<string>;
  keep(server: string, given: string, token: string): Promise<void>;
  /** It must show up nowhere from now on. */
  learn(secret: string): void;
}

/** `of`: the operator's token that it came of; one that was given since counts instead. */
const kept = z.object({ of: z.string(), token: z.string() });

export const createTokens = (data: string, learn: Tokens["learn"]): Tokens => {
  const folder = join(data, "mcp");
  const pathOf = (server: string): string => join(folder, `${server}.json`);
  /** What could not be stored: nothing else would be taken any more. */
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
