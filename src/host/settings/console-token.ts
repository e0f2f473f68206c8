/**
 * The console's token (D4): the configured one, or one that the first start makes and keeps with mode 0600 in the
 * data directory, which exists.
 */

import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { randomId } from "../random-id.ts";

export type Token =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "failed"; readonly message: string };

const LEAST = 16;

export const consoleToken = (config: Pick<Config, "PARLEY_DATA" | "PARLEY_CONSOLE_TOKEN">): Token => {
  if (config.PARLEY_CONSOLE_TOKEN !== undefined) return { kind: "token", token: config.PARLEY_CONSOLE_TOKEN };
  const path = join(config.PARLEY_DATA, "console-token");
  try {
    const known = readToken(path);
    if (known === null) return { kind: "token", token: makeToken(path) };
    return known.length >= LEAST
      ? { kind: "token", token: known }
      : {
          kind: "failed",
          message: `${path} holds no usable token. Delete it, and the next start makes a new one.`,
        };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "failed", message: `The console's token cannot be kept in ${path}: ${why}` };
  }
};

const readToken = (path: string): string | null => {
  try {
    chmodSync(path, 0o600);
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
};

/** Exclusive: two first starts cannot each believe in a token of their own. */
const makeToken = (path: string): string => {
  const token = randomId();
  const file = openSync(path, "wx", 0o600);
  writeSync(file, `${token}\n`);
  fsyncSync(file);
  closeSync(file);
  return token;
};
