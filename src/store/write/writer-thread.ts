/** The thread that writes (writer.ts): batches in, their answers out, until it is told to close. */

import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { Job } from "./write-job.ts";

export interface ThreadData {
  readonly name: string;
  /** The process keeps compiled code: with it the thread is there in a fraction of the time. */
  readonly cached: boolean;
}

const { name, cached }: ThreadData = workerData;
if (cached) enableCompileCache();
const { openForWriting } = await import("../open-for-writing.ts");
const { batch, close } = openForWriting(name);

parentPort?.on("message", (message: readonly Job[] | "close") => {
  if (message !== "close") return parentPort?.postMessage(batch(message), []);
  close();
  parentPort?.postMessage([], []);
  parentPort?.close();
});
