/** The writer thread (writer.ts): runs batches one by one and applies writes of other hosts between them. */

import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { WriterNotice } from "../../ports/membership.ts";
import type { Tables } from "../../ports/tables.ts";
import { freeMemory } from "../base/free-memory.ts";
import { leanImports } from "../base/lean-imports.ts";
import type { WriteJob, WriteAnswer } from "./write-job.ts";

export interface ThreadData {
  readonly name: string;
  readonly tables: readonly Tables[];
  /** Whether the process caches compiled code, with which the thread starts in a fraction of the time. */
  readonly cached: boolean;
  /** Address of a `WritingModule`. */
  readonly url: string;
  readonly data?: unknown;
}

interface WritingModule {
  /** Throws if the file cannot be opened. */
  openForWriting(name: string, tables: readonly Tables[], data: unknown, hears: Hears): OpenForWriting;
}

interface Hears {
  say(said: WriterNotice): void;
  queue(work: () => unknown): void;
}

interface OpenForWriting {
  batch(jobs: readonly WriteJob[]): readonly WriteAnswer[] | Promise<readonly WriteAnswer[]>;
  /** Updates the file up to a group of writes, and reports its position. */
  look(seq: number): unknown;
  close(): unknown;
}

/** A number requests the group of writes with that number: the writer answers once the file contains the group. */
export type WriterRequest = readonly WriteJob[] | "close" | "rest" | number;

const { name, tables, cached, url, data }: ThreadData = workerData;
if (cached) enableCompileCache();
leanImports();
const say = (said: readonly WriteAnswer[] | WriterNotice): void => parentPort?.postMessage(said, []);
let last: Promise<unknown> = Promise.resolve();
const queue = (work: () => unknown): void => {
  last = last.then(work);
};

const { openForWriting }: WritingModule = await import(url);
const { batch, look, close } = openForWriting(name, tables, data, { say, queue });

const end = async (): Promise<void> => {
  await close();
  say([]);
  parentPort?.close();
};
parentPort?.on("message", (asked: WriterRequest) =>
  queue(async () => {
    if (asked === "close") await end();
    else if (asked === "rest") freeMemory();
    else if (typeof asked === "number") await look(asked);
    else say(await batch(asked));
  }),
);
