/** Schemas of sub-agents in their parent's state. */

import * as z from "zod";
import { AGENT_ENDS } from "../../machine/agent.ts";
import { conversationId, list, messageId } from "./id.ts";
import { untrusted, usage } from "./words.ts";

export const agentHow = z.enum(AGENT_ENDS);

export const agentEnd = z.object({
  how: agentHow,
  usage,
  why: z.string().exactOptional(),
  read: untrusted.exactOptional(),
});

export const agents = list(z.object({ id: conversationId, model: z.string(), end: agentEnd.nullable() }));

export const gathered = z.object({
  message: messageId,
  isError: z.boolean(),
  ends: list(agentEnd),
});
