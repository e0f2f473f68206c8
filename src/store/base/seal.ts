/**
 * Encrypts texts that the database stores but must not reveal, such as tokens of people. The key is outside the database: the
 * setting PARLEY_SEAL_KEY, or the generated file `seal-key` in the data directory. AES-256-GCM binds each text to its context,
 * so that a text that is copied to the row of another person cannot be opened.
 */

import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  FoundSealKey,
  OpenedSeal,
  SealKey,
  SealKeyResult,
  UnusableSealKey,
} from "../../ports/sealing.ts";

/** `context`: the owner of the text, such as a purpose, a person and a forge. Opening needs an equal context. */
export const sealText = (key: SealKey, text: string, context: readonly string[]): string => {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce);
  cipher.setAAD(bytesOf(context));
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, key.id, sealed.toString("base64url")].join(".");
};

/** Never throws. */
export const openSealedText = (key: SealKey, sealed: string, context: readonly string[]): OpenedSeal => {
  const [version, id, body, ...rest] = sealed.split(".");
  if (version !== VERSION || body === undefined || rest.length > 0) return { kind: "broken" };
  if (id !== key.id) return { kind: "other key" };
  const bytes = Buffer.from(body, "base64url");
  if (bytes.length < NONCE + TAG) return { kind: "broken" };
  try {
    const cipher = createDecipheriv("aes-256-gcm", key.bytes, bytes.subarray(0, NONCE));
    cipher.setAAD(bytesOf(context));
    cipher.setAuthTag(bytes.subarray(-TAG));
    const text = Buffer.concat([cipher.update(bytes.subarray(NONCE, -TAG)), cipher.final()]);
    return { kind: "opened", text: text.toString("utf8") };
  } catch {
    return { kind: "broken" };
  }
};

/** `given`: value of PARLEY_SEAL_KEY; undefined if it is not set. */
export const findSealKey = (data: string, given: string | undefined): FoundSealKey => {
  if (given !== undefined) return keyOf(given, "setting") ?? { kind: "unusable", why: WRONG_SETTING };
  const path = join(data, FILE);
  try {
    chmodSync(path, 0o600);
    const key = keyOf(readFileSync(path, "utf8").trim(), "file");
    return key ?? { kind: "unusable", why: `${path} contains no key. Restore the file from a backup.` };
  } catch (error) {
    return codeOf(error) === "ENOENT" ? { kind: "absent" } : unusable(path, error);
  }
};

/**
 * The same, and creates the file if there is no key yet. The file gets its name only when it is complete, so that a crash leaves
 * no empty key; a name that exists is never replaced, so that two processes get the same key.
 */
export const openSealKey = (data: string, given: string | undefined): SealKeyResult => {
  const found = findSealKey(data, given);
  if (found.kind !== "absent") return found;
  const path = join(data, FILE);
  const made = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    writeFileSync(made, `${randomBytes(KEY).toString("base64")}\n`, { flag: "wx", mode: 0o600, flush: true });
    linkSync(made, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") return unusable(path, error);
  } finally {
    rmSync(made, { force: true });
  }
  const key = findSealKey(data, given);
  return key.kind === "absent" ? { kind: "unusable", why: `${path} was removed again.` } : key;
};

/** Whether a text is a key: 32 bytes as base64, with or without padding. */
export const isSealKey = (text: string): boolean => KEY_TEXT.test(text);

const FILE = "seal-key";
const VERSION = "v1";
const KEY = 32;
const NONCE = 12;
const TAG = 16;
const KEY_TEXT = /^[A-Za-z0-9+/_-]{43}=?$/;
const WRONG_SETTING = "PARLEY_SEAL_KEY is not a key. `openssl rand -base64 32` prints a key.";

const keyOf = (text: string, from: SealKey["from"]): SealKey | null => {
  if (!isSealKey(text)) return null;
  const bytes = Buffer.from(text, "base64");
  return { kind: "key", bytes, id: hash("sha256", bytes).slice(0, 12), from };
};

/** Each part is preceded by its length, so that different contexts have different bytes. */
const bytesOf = (context: readonly string[]): Buffer =>
  Buffer.from(context.map((part) => `${Buffer.byteLength(part)}:${part}`).join(","));

const unusable = (path: string, error: unknown): UnusableSealKey => ({
  kind: "unusable",
  why: `${path} cannot be used (${codeOf(error) ?? "unknown error"}).`,
});

const codeOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error ? String(error.code) : null;
