/** Schemas of stored watches and events. */

import * as z from "zod";
import { BECAME, FORGES, HEARD, type WatchSource, type WatchState, type WatchEvent } from "./watches.ts";
import { conversationId, kind, list, personId } from "../../../store/schema/id.ts";

export const source: z.ZodType<WatchSource> = z.discriminatedUnion("kind", [
  kind("schedule", {
    cron: z.string(),
    zone: z.string(),
    spoken: z.string(),
    text: z.string(),
    last: z.number(),
  }),
  kind("hook", {
    title: z.string().nullable(),
    text: z.string().nullable(),
    key: z.string().nullable(),
  }),
  kind("posts", { app: z.string() }),
  kind("forge", {
    forge: z.enum(FORGES),
    hears: list(z.enum(HEARD)),
    label: z.string().nullable(),
    called: z.string(),
  }),
]);

export const standing: z.ZodType<WatchState> = z.discriminatedUnion("kind", [
  kind("on", {}),
  kind("paused", { by: personId }),
  kind("off", { why: z.string() }),
]);

export const watchEvent: z.ZodType<WatchEvent> = z.object({
  watch: z.string(),
  delivery: z.string(),
  fingerprint: z.string(),
  title: z.string(),
  text: z.string(),
  link: z.string().nullable(),
  at: z.number(),
  post: z.string().exactOptional(),
  follows: z
    .object({
      conversation: conversationId,
      what: z.enum(BECAME),
      repo: z.string(),
      pull: z.number().nullable(),
    })
    .exactOptional(),
});
