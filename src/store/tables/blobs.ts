/** Pictures and files by the SHA-256 of their content, under `blobs/`. */

import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { Log } from "../../ports/host.ts";
import type { Tables } from "../../ports/tables.ts";
import type { Blobs, Objects } from "../../ports/store.ts";
import { createFolder } from "../base/folder.ts";
import { silentLog } from "../base/silent-log.ts";

export const blobRows: Tables = {
  tables: { loose_blobs: { kept: { "hashes of files until these are gone from the disk": ["hash"] } } },
  erase: {
    person: { kind: "kept", why: "no words" },
    conversation: { kind: "kept", why: "another conversation may name the file" },
  },
};

type Stored = Awaited<ReturnType<Blobs["put"]>>;

export const createBlobs = (directory: string, log: Log = silentLog): Blobs =>
  blobsIn(createFolder(directory), log);

export const blobsIn = (objects: Objects, log: Log): Blobs => {
  /** Equal content in parallel calls shares one write, and therefore one temporary name. */
  const writing = new Map<string, Promise<Stored>>();

  const store = async (hash: string, bytes: Uint8Array): Promise<Stored> => {
    const put = await objects.put(nameOf(hash), [bytes]);
    return put.kind === "done" ? { kind: "stored", hash } : put;
  };

  const put = (bytes: Uint8Array): Promise<Stored> => {
    const hash = sha256(bytes);
    const begun = writing.get(hash);
    if (begun !== undefined) return begun;
    const written = store(hash, bytes).finally(() => writing.delete(hash));
    writing.set(hash, written);
    return written;
  };

  /** Null if the name is no hash, if the file is missing, or if its content no longer matches its name. */
  const get = async (hash: string): Promise<Buffer | null> => {
    if (!HASH.test(hash)) return null;
    let bytes = Buffer.alloc(0);
    const got = await objects.get(nameOf(hash), async (chunks) => {
      bytes = await buffer(chunks);
    });
    if (got.kind === "got" && sha256(bytes) === hash) return bytes;
    if (got.kind === "got") log.error("store: file damaged, hash differs", { hash });
    if (got.kind === "failed") log.error("store: file not read", { hash, why: got.message });
    return null;
  };

  const remove: Blobs["remove"] = async (hash) => {
    if (!HASH.test(hash)) return { kind: "done" };
    const gone = await objects.remove(nameOf(hash));
    if (gone.kind === "failed") log.error("store: file not removed", { hash, why: gone.message });
    return gone;
  };

  return { put, get, remove };
};

const HASH = /^[0-9a-f]{64}$/;

const nameOf = (hash: string): string => `blobs/${hash}`;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
