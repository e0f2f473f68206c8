/**
 * The thread that writes where hosts share a database (write-fenced.ts): one batch after the other, also while one waits,
 * and between them what other hosts wrote.
 */

import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { Job } from "../write/write-job.ts";
import type { Look, Said } from "../write/writer.ts";
import type { ThreadData } from "../write/writer-thread.ts";
import type { Pushing } from "./fenced-batch.ts";

/** Milliseconds between looks where the database tells nothing. */
const LOOK = 1_000;

const { name, cached, ...member }: ThreadData & Pushing = workerData;
if (cached) enableCompileCache();
const { openFenced } = await import("./fenced-batch.ts");
const say = (said: Said): void => parentPort?.postMessage(said, []);
const fenced = openFenced(name, member, { say, news: () => queue(fenced.bring) });

let last: Promise<void> = Promise.resolve();
const queue = (work: () => Promise<void>): void => {
  last = last.then(work);
};
const looking = setInterval(() => queue(() => fenced.look()), LOOK);

const answer = (jobs: readonly Job[]) => async (): Promise<void> =>
  parentPort?.postMessage(await fenced.batch(jobs), []);
const close = async (): Promise<void> => {
  clearInterval(looking);
  await fenced.close();
  parentPort?.postMessage([], []);
  parentPort?.close();
};
parentPort?.on("message", (message: readonly Job[] | "close" | Look) => {
  if (typeof message === "number") queue(() => fenced.look(message));
  else queue(message === "close" ? close : answer(message));
});
