/**
 * The fake as a process of its own, so that its work is not measured with the program's and it outlives the program's
 * death (D36). Options are JSON in `FAKE_DISCORD`. Prints one JSON line, `{"port","url","apiUrl","token"}`, and runs
 * until its standard input ends.
 */

import { once } from "node:events";
import { z } from "zod";
import { createFakeDiscord } from "./fake.ts";

const bucket = z.object({ size: z.number(), perMs: z.number() });
const optionsSchema = z.strictObject({
  guilds: z
    .array(
      z.object({
        name: z.string(),
        channels: z
          .array(z.object({ name: z.string(), kind: z.enum(["text", "forum"]).default("text") }))
          .default([{ name: "general", kind: "text" }]),
        members: z.array(z.object({ name: z.string(), roles: z.array(z.string()).default([]) })).default([]),
      }),
    )
    .optional(),
  rates: z.union([z.literal("off"), z.record(z.string(), bucket)]).optional(),
  shards: z.int().optional(),
  maxConcurrency: z.int().optional(),
  heartbeatIntervalMs: z.number().optional(),
});

const { guilds, rates, shards, maxConcurrency, heartbeatIntervalMs } = optionsSchema.parse(
  JSON.parse(process.env["FAKE_DISCORD"] ?? "{}"),
);
const fake = await createFakeDiscord({
  ...(guilds === undefined ? {} : { guilds }),
  ...(rates === undefined ? {} : { rates }),
  ...(shards === undefined ? {} : { shards }),
  ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
  ...(heartbeatIntervalMs === undefined ? {} : { times: { heartbeatIntervalMs } }),
});
const { port, url, apiUrl, token } = fake;
process.stdout.write(`${JSON.stringify({ port, url, apiUrl, token })}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await fake.close();
