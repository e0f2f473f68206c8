/** Writes batches in a separate thread, so that the event loop never waits for the disk. */

import { getCompileCacheDir } from "node:module";
import { Worker } from "node:worker_threads";
import type { Database } from "better-sqlite3";
import type { WriterNotice, SharedWriting } from "../../ports/membership.ts";
import type { Tables } from "../../ports/tables.ts";
import type { StoreParts } from "../tables/all-tables.ts";
import type { Writer } from "./group.ts";
import type { WriteJob, WriteAnswer } from "./write-job.ts";
import type { WriterRequest, ThreadData } from "./writer-thread.ts";

export interface WriterStart {
  /** The file of `db`. */
  readonly name: string;
  readonly db: Database;
  readonly parts: StoreParts;
  readonly tables: readonly Tables[];
}

export type StartWriter = ((opened: WriterStart) => Writer) & {
  /** Whether it writes to a shared database, with `db` as this host's replica. */
  readonly isFenced?: true;
};

/** `db` only reads from now on. An idle thread frees memory, but stays: a new one takes a tenth of a second of the processor. */
export const writeInThread: StartWriter = ({ name, db, tables }) => {
  db.pragma("query_only = ON");
  let thread: Thread | null = null;
  let flying = 0;
  let resting: NodeJS.Timeout | undefined;

  return {
    run: async (jobs) => {
      clearTimeout(resting);
      flying += 1;
      thread ??= begin({ name, tables, url: ALONE });
      const answers = await thread(jobs);
      flying -= 1;
      if (flying === 0) resting = setTimeout(thread.post, REST, "rest").unref();
      return answers;
    },
    close: async () => {
      clearTimeout(resting);
      await thread?.("close");
    },
  };
};

const ALONE = new URL("./open-for-writing.ts", import.meta.url).href;

/** Milliseconds until an idle thread frees memory. */
const REST = 30_000;

export const writeShared = ({ url, data, gathers, begun, hear }: SharedWriting): StartWriter => {
  const start: StartWriter = ({ name, db, tables }) => {
    db.pragma("query_only = ON");
    const thread = begin({ name, tables, url, data }, hear);
    begun(thread.post, () => db.open);
    return { run: thread, gathers, close: async () => void (await thread("close")) };
  };
  return Object.assign(start, { isFenced: true as const });
};

type Thread = ((message: readonly WriteJob[] | "close") => Promise<readonly WriteAnswer[]>) & {
  readonly post: (message: "rest" | number) => void;
};

/** An error of the thread ends the process: stored writes are safe, and the next start continues with them. */
const begin = (of: Omit<ThreadData, "cached">, hear: (said: WriterNotice) => void = () => {}): Thread => {
  const data: ThreadData = { ...of, cached: getCompileCacheDir() !== undefined };
  const program = new URL("./writer-thread.ts", import.meta.url);
  const thread = new Worker(program, { workerData: data, execArgv: [] });
  thread.unref();
  const asked: ((answers: readonly WriteAnswer[]) => void)[] = [];
  thread.on("message", (message: readonly WriteAnswer[] | WriterNotice) => {
    if (!isAnswers(message)) return hear(message);
    asked.shift()?.(message);
    if (asked.length === 0) thread.unref();
  });
  const post = (message: WriterRequest): void => thread.postMessage(message, []);
  const ask = (message: readonly WriteJob[] | "close"): Promise<readonly WriteAnswer[]> =>
    new Promise((resolve) => {
      asked.push(resolve);
      thread.ref();
      post(message);
    });
  return Object.assign(ask, { post });
};

/** `Array.isArray` does not narrow readonly arrays. */
const isAnswers = (message: readonly WriteAnswer[] | object): message is readonly WriteAnswer[] =>
  Array.isArray(message);
