/** Threads of chat platforms and what they hold, as they come from disk. */

import * as z from "zod";
import type { DeliveryRow, ThreadRow } from "../../ports/surface.ts";
import { conversationId } from "./id.ts";

export const threadRow = z
  .object({
    conversation: conversationId,
    surface: z.string(),
    place: z.string(),
    root: z.string(),
    delivered: z.number(),
  })
  .transform(({ delivered, ...thread }): ThreadRow => ({ thread, delivered }));

export const deliveryRow = z
  .object({
    key: z.string(),
    post: z.string(),
    wire: z.string(),
    id: z.string().nullable(),
    hash: z.string().nullable(),
    state: z.enum(["planned", "sending", "sent", "unknown", "gone"]),
    attempts: z.number(),
  })
  .transform((row): DeliveryRow => row);
