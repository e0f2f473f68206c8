import * as z from "zod";
import { OWN_ACTIONS } from "../../thread/post.ts";
import { agents } from "./agent.ts";
import { conversationId, kind, list, messageId, personId, questionId } from "./id.ts";
import { decision, notice, outcome, summary } from "./transcript.ts";
import {
  ask,
  call,
  carriage,
  choice,
  confinement,
  earlierAnswers,
  permission,
  speaker,
  stopCause,
  untrusted,
  usage,
  wrote,
} from "./words.ts";

const step = z.object({ message: messageId, call, outcome, took: z.number() });

const body = z.discriminatedUnion("kind", [
  kind("opening", { permission, confinement, mode: z.string() }),
  kind("user", { message: messageId, speaker, images: z.number() }),
  kind("answer", { message: messageId }),
  kind("activity", {
    message: messageId,
    call,
    status: z.enum(["waiting", "running", "done", "error"]),
    outcome: outcome.nullable(),
    took: z.number().exactOptional(),
    agents: agents.exactOptional(),
  }),
  kind("question", {
    question: questionId.nullable(),
    asker: personId.exactOptional(),
    turn: z.int(),
    message: messageId,
    call,
    ask: ask.exactOptional(),
    untrusted: untrusted.exactOptional(),
    cover: z
      .object({
        refused: z.string().nullable(),
        confined: z.boolean(),
        network: z.enum(["none", "asked", "open"]),
      })
      .exactOptional(),
    decision: decision.nullable(),
    plan: z.literal(true).exactOptional(),
    stopped: z.union([z.literal(true), stopCause]).exactOptional(),
    wrote: wrote.exactOptional(),
    withheld: z.literal(true).exactOptional(),
    branched: z
      .object({
        link: z.string().exactOptional(),
        to: conversationId.nullable(),
        why: z.string().exactOptional(),
      })
      .exactOptional(),
  }),
  kind("file", { message: messageId, index: z.number() }),
  kind("notice", { notice, folded: z.literal(true).exactOptional() }),
  kind("turn", {
    end: z.enum(["answered", "stopped", "interrupted", "failed", "discarded"]),
    asked: z.object({ message: messageId, by: personId }).exactOptional(),
    said: list(messageId),
    changes: list(step),
    files: list(z.object({ message: messageId, index: z.number() })),
    steps: z.object({ count: z.number(), rows: list(step) }),
    notices: list(notice),
    permission,
    held: personId.exactOptional(),
    unconfined: z.literal(true).exactOptional(),
    readOnly: z.literal(true).exactOptional(),
    uncommitted: z.literal(true).exactOptional(),
    pictures: z.number().exactOptional(),
    tried: z.number().exactOptional(),
    duration: z.number(),
    model: z.string().exactOptional(),
    context: z.number().exactOptional(),
    earlier: earlierAnswers.exactOptional(),
    looked: z.object({ by: personId, edited: z.boolean() }).exactOptional(),
  }),
  kind("summary", {
    ...summary.shape,
    next: conversationId.nullable(),
    link: z.string().exactOptional(),
    carried: carriage.exactOptional(),
    withheld: z.literal(true).exactOptional(),
  }),
  kind("footer", {
    usage,
    model: z.string(),
    mode: z.string(),
    permission,
    duration: z.number(),
    answer: messageId.exactOptional(),
    context: z.number().exactOptional(),
    earlier: earlierAnswers.exactOptional(),
  }),
]);

export const post = z.object({
  key: z.string(),
  at: z.number(),
  final: z.boolean(),
  actions: list(z.enum([...choice.options, ...OWN_ACTIONS])),
  body,
});
