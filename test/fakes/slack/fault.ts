/** What can go wrong with one HTTP request, as data. */

import { z } from "zod";

export const faultSchema = z.discriminatedUnion("kind", [
  /** A status instead of an answer; nothing is applied. `retryAfter` is the header's text, left out when unset. */
  z.object({
    kind: z.literal("status"),
    status: z.int(),
    retryAfter: z.string().optional(),
    /** Unset: `json`. `html` is what a proxy says. */
    body: z.enum(["json", "html", "empty"]).optional(),
  }),
  /** 200 and a body that is not what it should be; nothing is applied. */
  z.object({ kind: z.literal("nonsense"), text: z.string() }),
  /** `{ok: false, error}`; `applied` for an error that comes after the deed. `fields` go beside it (`needed`, …). */
  z.object({
    kind: z.literal("error"),
    error: z.string(),
    applied: z.boolean().optional(),
    fields: z.record(z.string(), z.unknown()).optional(),
  }),
  /** The connection breaks instead of an answer. `applied: true` is what makes duplicates. */
  z.object({ kind: z.literal("cut"), applied: z.boolean(), how: z.enum(["end", "reset"]).optional() }),
  /** Nothing comes until the client gives up. */
  z.object({ kind: z.literal("stall"), applied: z.boolean() }),
  /** A slow answer: waits at the gate, before or after the deed (unset: before). */
  z.object({ kind: z.literal("wait"), gate: z.string(), when: z.enum(["before", "after"]).optional() }),
]);

export type Fault = Readonly<z.infer<typeof faultSchema>>;

export const wasApplied = (fault: Fault | undefined): boolean => {
  switch (fault?.kind) {
    case undefined:
    case "wait":
      return true;
    case "status":
    case "nonsense":
      return false;
    case "error":
      return fault.applied === true;
    case "cut":
    case "stall":
      return fault.applied;
  }
};
