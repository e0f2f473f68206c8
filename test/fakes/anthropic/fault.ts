/**
 * What can go wrong, as data. A fault never uses up the scripted turn it spoils, so a client that tries again gets it;
 * faults that still deliver the whole turn (`framing`, `unknownEvent`, `pings`) do use it up.
 */

import { z } from "zod";
import { turnSchema } from "./turn.ts";

export const faultSchema = z.discriminatedUnion("kind", [
  /** An error status with the API's JSON body. `retryAfter` is the header's text: seconds or a date. */
  z.object({
    kind: z.literal("status"),
    status: z.int(),
    retryAfter: z.string().optional(),
    type: z.string().optional(),
    message: z.string().optional(),
    /** `details.error_code`, as the SDK reads it. */
    code: z.string().optional(),
  }),
  /** What a proxy in between says: an HTML page. */
  z.object({ kind: z.literal("html"), status: z.int() }),
  /** 200 and no body at all. */
  z.object({ kind: z.literal("empty") }),
  /** A TCP reset before the status line. */
  z.object({ kind: z.literal("reset") }),
  /** An SSE `error` event after that many deltas; where the answer is JSON, the error status instead. */
  z.object({
    kind: z.literal("errorEvent"),
    type: z.string().optional(),
    message: z.string().optional(),
    afterDeltas: z.int().nonnegative(),
  }),
  /** The socket closes after that many deltas. */
  z.object({ kind: z.literal("cut"), afterDeltas: z.int().nonnegative() }),
  /** The socket closes after that many bytes of the body. */
  z.object({ kind: z.literal("cutBytes"), bytes: z.int().nonnegative() }),
  /** An orderly end without `message_stop`: after that many deltas, or with all but the last event sent. */
  z.object({ kind: z.literal("noStop"), afterDeltas: z.int().nonnegative().optional() }),
  /** Nothing more is sent after that many deltas; the connection stays open. */
  z.object({ kind: z.literal("stall"), afterDeltas: z.int().nonnegative() }),
  /** Pings alone, so often, for as long as the client listens. */
  z.object({ kind: z.literal("silence"), everyMs: z.number().positive() }),
  /** The same bytes in other chunks: one byte each, all at once, or cut inside every multi-byte character. */
  z.object({ kind: z.literal("framing"), framing: z.enum(["bytes", "merged", "splitUtf8"]) }),
  /** An event of an unknown type before the first delta. */
  z.object({ kind: z.literal("unknownEvent") }),
  /** A ping before every event. */
  z.object({ kind: z.literal("pings") }),
  /** This turn in place of the scripted one, which stays. */
  z.object({ kind: z.literal("turn"), turn: turnSchema }),
]);

export type Fault = Readonly<z.infer<typeof faultSchema>>;

/** Which requests a script or fault is for, as data; all that is given must hold. Unset path: `/v1/messages`. */
export const matchSchema = z.object({
  path: z.string().optional(),
  model: z.string().optional(),
  /** Stands somewhere in the JSON of the body; a word of the first message tells conversations apart. */
  contains: z.string().optional(),
});

export type Match = Readonly<z.infer<typeof matchSchema>>;

/** Whether the scripted turn reaches the client whole in spite of the fault. */
export const deliversTurn = (fault: Fault | undefined): boolean =>
  fault === undefined || fault.kind === "framing" || fault.kind === "unknownEvent" || fault.kind === "pings";
