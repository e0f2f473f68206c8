/** Slots are users for commands. A claim is a file created exclusively, so that two conversations never claim the same slot. */

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

/** If all tried slots are taken, two conversations share one: mounts still separate them, but the process limit is common. */
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
