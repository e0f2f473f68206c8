/**
 * The fake as a process of its own, so that its work is not measured with the program's and it outlives the program's
 * death (D36). Options are JSON in `FAKE_SLACK`. Prints one JSON line, `{"port","url","apiUrl","botToken","appToken"}`,
 * and runs until its standard input ends.
 */

import { once } from "node:events";
import { z } from "zod";
import { createFakeSlack } from "./fake.ts";

const bucket = z.object({ size: z.number(), perMinute: z.number() });
const role = z.enum(["owner", "admin", "member", "guest", "external", "deactivated"]);
const optionsSchema = z.strictObject({
  users: z.array(z.object({ name: z.string(), role: role.default("member") })).optional(),
  channels: z.array(z.object({ name: z.string() })).optional(),
  rates: z.union([z.literal("off"), z.record(z.string(), bucket)]).optional(),
  ackTimeoutMs: z.number().optional(),
  retryDelaysMs: z.array(z.number()).optional(),
  streamLifetimeMs: z.number().optional(),
});

const { users, channels, rates, ...times } = optionsSchema.parse(
  JSON.parse(process.env["FAKE_SLACK"] ?? "{}"),
);
const fake = await createFakeSlack({
  times: Object.fromEntries(Object.entries(times).filter(([, value]) => value !== undefined)),
  ...(users === undefined ? {} : { users }),
  ...(channels === undefined ? {} : { channels }),
  ...(rates === undefined ? {} : { rates }),
});
const { port, url, apiUrl, botToken, appToken } = fake;
process.stdout.write(`${JSON.stringify({ port, url, apiUrl, botToken, appToken })}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await fake.close();
