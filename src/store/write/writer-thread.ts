/**
 * The thread that writes (writer.ts): one batch after the other, also while one waits, and between them what other hosts wrote,
 * until it is told to close.
 */

import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { WriterNotice } from "../../ports/membership.ts";
import type { Tables } from "../../ports/tables.ts";
import type { WriteJob, WriteAnswer } from "./write-job.ts";

export interface ThreadData {
  readonly name: string;
  /** Those that features declare. */
  readonly tables: readonly Tables[];
  /** The process keeps compiled code: with it the thread is there in a fraction of the time. */
  readonly cached: boolean;
  /** Address of the module that writes (`WritingModule`), and what it gets. */
  readonly url: string;
  readonly data?: unknown;
}

/** A module that writes batches to the file. */
interface WritingModule {
  /** Throws where the file cannot be opened. */
  openForWriting(name: string, tables: readonly Tables[], data: unknown, hears: Hears): OpenForWriting;
}

interface Hears {
  /** Beside answers. */
  say(said: WriterNotice): void;
  /** Whatever is done comes one after the other. */
  queue(work: () => unknown): void;
}

interface OpenForWriting {
  batch(jobs: readonly WriteJob[]): readonly WriteAnswer[] | Promise<readonly WriteAnswer[]>;
  /** Brings the file up to that group of writes, and says how far it is. */
  look(seq: number): unknown;
  close(): unknown;
}

/** A number: the file is to have that group, and it is said when it does. */
export type WriterRequest = readonly WriteJob[] | "close" | number;

const { name, tables, cached, url, data }: ThreadData = workerData;
if (cached) enableCompileCache();
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
    else if (typeof asked === "number") await look(asked);
    else say(await batch(asked));
  }),
);
