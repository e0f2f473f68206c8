import * as z from "zod";
import { AGENT_ENDS } from "../../machine/agent.ts";
import { conversationIdSchema, listSchema, messageIdSchema } from "./id.ts";
import { untrustedSchema, usageSchema } from "./vocabulary.ts";

export const agentHowSchema = z.enum(AGENT_ENDS);

export const agentEndSchema = z.object({
  how: agentHowSchema,
  usage: usageSchema,
  why: z.string().exactOptional(),
  read: untrustedSchema.exactOptional(),
});

export const agentsSchema = listSchema(
  z.object({ id: conversationIdSchema, model: z.string(), end: agentEndSchema.nullable() }),
);

export const gatheredSchema = z.object({
  message: messageIdSchema,
  isError: z.boolean(),
  ends: listSchema(agentEndSchema),
});
