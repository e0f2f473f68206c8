import * as z from "zod";
import {
  BECAME,
  FORGES,
  FORGE_EVENT_KINDS,
  type WatchSource,
  type WatchState,
  type WatchEvent,
} from "./watches.ts";
import { conversationIdSchema, kindSchema, listSchema, personIdSchema } from "../../../store/schema/id.ts";

export const source: z.ZodType<WatchSource> = z.discriminatedUnion("kind", [
  kindSchema("schedule", {
    cron: z.string(),
    zone: z.string(),
    spoken: z.string(),
    text: z.string(),
    last: z.number(),
  }),
  kindSchema("hook", {
    title: z.string().nullable(),
    text: z.string().nullable(),
    key: z.string().nullable(),
  }),
  kindSchema("posts", { app: z.string() }),
  kindSchema("forge", {
    forge: z.enum(FORGES),
    hears: listSchema(z.enum(FORGE_EVENT_KINDS)),
    label: z.string().nullable(),
    called: z.string(),
  }),
  kindSchema("people", {
    with: listSchema(z.string()),
    without: listSchema(z.string()),
    onlyQuestions: z.boolean(),
    from: z.string().nullable(),
    hours: z.object({ from: z.number(), until: z.number(), zone: z.string() }).nullable(),
    incidents: z.string().nullable(),
    notifyOwners: z.boolean(),
    postsPerHour: z.number(),
    lookBudget: z.number().nullable(),
  }),
  kindSchema("emoji", { emoji: z.string() }),
]);

export const watchStateSchema: z.ZodType<WatchState> = z.discriminatedUnion("kind", [
  kindSchema("on", { since: z.number().exactOptional() }),
  kindSchema("paused", { by: personIdSchema }),
  kindSchema("off", { why: z.string() }),
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
  person: z
    .object({ place: z.string(), author: personIdSchema, server: z.string().exactOptional() })
    .exactOptional(),
  follows: z
    .object({
      conversation: conversationIdSchema,
      what: z.enum(BECAME),
      repo: z.string(),
      pull: z.number().nullable(),
    })
    .exactOptional(),
  asksReview: z.literal(true).exactOptional(),
});
