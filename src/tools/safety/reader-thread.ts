/** The thread that reads what is more than a glance (reader.ts): a script in, its verdict out. */
import { parentPort } from "node:worker_threads";
import { createShellParser } from "./shell.ts";
import { verdictOf } from "./verdict.ts";

const shell = await createShellParser();
parentPort?.on("message", (script: string) => parentPort?.postMessage(verdictOf(shell.parse(script)), []));
parentPort?.postMessage("ready", []);
