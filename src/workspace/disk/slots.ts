/**
 * Identity slots: the user that a conversation's commands run as, if the sandbox can separate users. A claim is a file that is
 * created exclusively, so two conversations never get the same slot by accident, even across crashes.
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessThere } from "./durable.ts";

/** Slots 0 … 8,999 belong to conversations, 9,000 … 9,999 to mirrors and shared trees. */
const CONVERSATIONS = 9000;
const REPOSITORIES = 1000;
/** Slots that are tried before one is shared, so that a full host does not read 9,000 files. */
const TRIES = 64;

export const repositorySlot = (key: string): number => CONVERSATIONS + (hash(key) % REPOSITORIES);

/**
 * The slot of `id`, claimed at the first call. If all tried slots are taken, the conversation shares the first one: mounts and
 * process namespaces still separate the two, but they share a process limit.
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
