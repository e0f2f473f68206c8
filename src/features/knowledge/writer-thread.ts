/** The thread of the index (writer.ts): jobs in, their answers out, in order, until it is ended. */

import { parentPort, workerData } from "node:worker_threads";
import { createJobs, type Job } from "./job.ts";

const name: string = workerData;
const run = createJobs(name);
parentPort?.on("message", (job: Job) => parentPort?.postMessage(run(job), []));
