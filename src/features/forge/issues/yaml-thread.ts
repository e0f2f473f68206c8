/** Parses one YAML text and ends. */

import { parentPort, workerData } from "node:worker_threads";
import { parse } from "yaml";

const text: string = workerData;
/** Repeated references are written out, so that a small text could become a huge one. */
const MAX_JSON = 400_000;
const json = JSON.stringify(
  parse(text, { uniqueKeys: false, maxAliasCount: 20, logLevel: "error", prettyErrors: false }) ?? null,
);
parentPort?.postMessage(json.length > MAX_JSON ? null : json, []);
