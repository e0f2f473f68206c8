/** The configured token, or a token that the first start stores in the data directory with mode 0600 (D4). */

import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { randomId } from "../process/random-id.ts";

export type Token =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "failed"; readonly message: string };

const LEAST = 16;

export const consoleToken = (config: Pick<Config, "PARLEY_DATA" | "PARLEY_CONSOLE_TOKEN">): Token => {
  if (config.PARLEY_CONSOLE_TOKEN !== undefined) return { kind: "token", token: config.PARLEY_CONSOLE_TOKEN };
  const path = join(config.PARLEY_DATA, "console-token");
  try {
    if (!existsSync(path)) return { kind: "token", token: makeToken(path) };
    chmodSync(path, 0o600);
    const token = readFileSync(path, "utf8").trim();
    if (token.length >= LEAST) return { kind: "token", token };
    const message = `${path} contains no usable token. Delete the file; the next start creates a new token.`;
    return { kind: "failed", message };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "failed", message: `The console token cannot be stored in ${path}: ${why}` };
  }
};

/** Creates the file exclusively, so that two first starts cannot use different tokens. */
const makeToken = (path: string): string => {
  const token = randomId();
  writeFileSync(path, `${token}\n`, { flag: "wx", mode: 0o600, flush: true });
  return token;
};
