/**
 * Identity slots: which user a conversation's commands run as where the sandbox can give each its own. A claim is a
 * file made exclusively, so two conversations never get the same slot by accident, also across crashes.
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessThere } from "./durable.ts";

/** Slots 0 … 8,999 belong to conversations, 9,000 … 9,999 to mirrors and shared trees. */
const CONVERSATIONS = 9000;
const REPOSITORIES = 1000;
/** Neighbours tried before a slot is shared: what keeps a full house from reading 9,000 files. */
const TRIES = 64;

export const repositorySlot = (key: string): number => CONVERSATIONS + (hash(key) % REPOSITORIES);

/**
 * The slot of `id`, claimed at the first call. When all tried are taken the conversation shares the first one:
 * mounts and process namespaces still keep the two apart, only their process limit is counted together.
 */
export const claimSlot = async (directory: string, id: string): Promise<number> => {
  await mkdir(directory, { recursive: true });
  const first = hash(id) % CONVERSATIONS;
  for (let i = 0; i < TRIES; i++) {
    const slot = (first + i) % CONVERSATIONS;
    if (await claim(join(directory, String(slot)), id)) return slot;
  }
  return first;
};

const claim = async (file: string, id: string): Promise<boolean> =>
  (await writeFile(file, id, { flag: "wx" }).catch(unlessThere)) !== null ||
  (await readFile(file, "utf8")) === id;

const hash = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE(0);
