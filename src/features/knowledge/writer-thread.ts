/** Main module of the index thread (writer.ts): runs jobs in order and posts their answers. */

import { parentPort, workerData } from "node:worker_threads";
import { createJobs, type IndexJob } from "./job.ts";

const name: string = workerData;
const run = createJobs(name);
parentPort?.on("message", (job: IndexJob) => parentPort?.postMessage(run(job), []));
