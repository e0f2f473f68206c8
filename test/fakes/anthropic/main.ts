/**
 * The fake as a process of its own, so that its work is not measured with the program's and it outlives the program's
 * death (D36). Prints one JSON line, `{"port","url","apiKey"}`, and runs until its standard input ends.
 */

import { once } from "node:events";
import { createFakeAnthropic } from "./fake.ts";

const fake = await createFakeAnthropic({ apiKey: process.env["FAKE_API_KEY"] ?? "test-key" });
process.stdout.write(`${JSON.stringify({ port: fake.port, url: fake.url, apiKey: fake.apiKey })}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await fake.close();
