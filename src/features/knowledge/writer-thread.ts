import { parentPort, workerData } from "node:worker_threads";
import { createJobs, type IndexJob } from "./job.ts";

const name: string = workerData;
const run = createJobs(name);
parentPort?.on("message", (job: IndexJob) => parentPort?.postMessage(run(job), []));
