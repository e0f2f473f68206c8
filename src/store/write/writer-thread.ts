/**
 * The thread that writes (writer.ts): one batch after the other, also while one waits, and between them what other hosts wrote,
 * until it is told to close.
 */

import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { Pushing, Said } from "../cluster/fenced-batch.ts";
import type { Job, Written } from "./write-job.ts";

export interface ThreadData {
  readonly name: string;
  /** The process keeps compiled code: with it the thread is there in a fraction of the time. */
  readonly cached: boolean;
  /** Where hosts share a database. */
  readonly pushing?: Pushing;
}

/** A number: the file is to have that group, and it is said when it does. */
export type Asked = readonly Job[] | "close" | number;

/** Milliseconds between looks where the database tells nothing. */
const LOOK = 1_000;

const { name, cached, pushing }: ThreadData = workerData;
if (cached) enableCompileCache();
const say = (said: readonly Written[] | Said): void => parentPort?.postMessage(said, []);
let last: Promise<unknown> = Promise.resolve();
const queue = (work: () => unknown): void => {
  last = last.then(work);
};

const { batch, look, close } =
  pushing === undefined
    ? (await import("./open-for-writing.ts")).openForWriting(name)
    : (await import("../cluster/fenced-batch.ts")).openFenced(name, pushing, { say, queue });
const looking = pushing === undefined ? undefined : setInterval(() => queue(() => look()), LOOK);

const end = async (): Promise<void> => {
  clearInterval(looking);
  await close();
  say([]);
  parentPort?.close();
};
parentPort?.on("message", (asked: Asked) =>
  queue(async () => {
    if (asked === "close") await end();
    else if (typeof asked === "number") await look(asked);
    else say(await batch(asked));
  }),
);
