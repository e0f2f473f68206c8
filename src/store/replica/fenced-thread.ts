/** The thread that writes where hosts share a database (write-fenced.ts): one batch after the other, also while one waits. */

import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadData } from "../write/writer-thread.ts";
import type { Job } from "../write/write-job.ts";
import type { Unwritable } from "../write/writer.ts";
import type { FleetSettings } from "./link.ts";
import type { Standing } from "./push.ts";

export interface FencedData extends ThreadData {
  readonly settings: FleetSettings;
  readonly standing: Standing;
}

const { name, cached, settings, standing }: FencedData = workerData;
if (cached) enableCompileCache();
const { openFenced } = await import("./fenced-batch.ts");
const say = (message: Unwritable): void => parentPort?.postMessage(message, []);
const { batch, close } = openFenced(name, settings, standing, (why) => say({ why }));

let last: Promise<void> = Promise.resolve();
const take = async (message: readonly Job[] | "close"): Promise<void> => {
  if (message !== "close") return parentPort?.postMessage(await batch(message), []);
  await close();
  parentPort?.postMessage([], []);
  parentPort?.close();
};
parentPort?.on("message", (message: readonly Job[] | "close") => {
  last = last.then(() => take(message));
});
