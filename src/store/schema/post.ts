/** Posts of the ledger as they come from disk. */

import * as z from "zod";
import { messageId, personId, questionId } from "./id.ts";
import { decision, notice, outcome } from "./transcript.ts";
import { ask, call, choice, confinement, permission, speaker, usage } from "./words.ts";

const body = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("opening"), permission, confinement }),
  z.object({ kind: z.literal("user"), message: messageId, speaker, images: z.number() }),
  z.object({ kind: z.literal("answer"), message: messageId }),
  z.object({
    kind: z.literal("activity"),
    message: messageId,
    call,
    status: z.enum(["waiting", "running", "done", "error"]),
    outcome: outcome.nullable(),
  }),
  z.object({
    kind: z.literal("question"),
    question: questionId.nullable(),
    asker: personId.exactOptional(),
    message: messageId,
    call,
    ask: ask.exactOptional(),
    first: z.number().exactOptional(),
    decision: decision.nullable(),
  }),
  z.object({ kind: z.literal("notice"), notice }),
  z.object({
    kind: z.literal("footer"),
    usage,
    model: z.string(),
    mode: z.string(),
    permission,
    duration: z.number(),
  }),
]);

export const post = z.object({
  key: z.string(),
  at: z.number(),
  final: z.boolean(),
  actions: z.array(z.enum([...choice.options, "retry"])).readonly(),
  body,
});
