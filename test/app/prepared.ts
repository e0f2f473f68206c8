/**
 * A process that prepares a host from its environment, logs each word of its arguments as a field and as a message, and prints
 * the secrets that the host masks. Nothing else of the host runs.
 */

import { prepare } from "../../src/app/prepare.ts";
import { readConfig } from "../../src/app/settings/config.ts";

const read = readConfig(process.env, "/nonexistent");
if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
const done = await prepare(read.config, new AbortController().signal);
if (done.kind !== "prepared") throw new Error(JSON.stringify(done));
const { log, secrets, sandbox, opened, membership, features } = done.prepared;
for (const word of process.argv.slice(2)) log.warn(`message ${word} ends`, { field: word });
console.log(JSON.stringify({ secrets }));
await sandbox.close();
await opened.store.close();
await features.observer.close();
await membership.leave();
process.exit(0);
