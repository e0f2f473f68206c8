/** What can go wrong with one REST call or one new connection of the gateway, as data. */

import { z } from "zod";

export const faultSchema = z.discriminatedUnion("kind", [
  /** A status instead of an answer. `html` is what a proxy says; `applied`: it comes after the deed (unset: before). */
  z.object({
    kind: z.literal("status"),
    status: z.int(),
    body: z.enum(["json", "html", "empty"]).optional(),
    applied: z.boolean().optional(),
  }),
  /** 429. `retryAfter`: seconds. `shared`: the resource is busy for everybody, which is not the bot's fault. */
  z.object({
    kind: z.literal("limited"),
    retryAfter: z.number(),
    scope: z.enum(["user", "shared", "global"]).optional(),
  }),
  /** An error code of Discord's; nothing is applied. */
  z.object({ kind: z.literal("error"), status: z.int(), code: z.int(), message: z.string() }),
  /** 200 and a body that is not what it should be; nothing is applied. */
  z.object({ kind: z.literal("nonsense"), text: z.string() }),
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
      return fault.applied === true;
    case "limited":
    case "error":
    case "nonsense":
      return false;
    case "cut":
    case "stall":
      return fault.applied;
  }
};

export const connectFaultSchema = z.discriminatedUnion("kind", [
  /** The TCP connection breaks before an answer, as where nobody listens. */
  z.object({ kind: z.literal("drop") }),
  /** The upgrade is answered with that HTTP status. */
  z.object({ kind: z.literal("refuse"), status: z.int() }),
  z.object({ kind: z.literal("noHello") }),
  z.object({ kind: z.literal("cutAfterHello") }),
  /** Cut when identify or resume arrives, before a session is there, or once it is and has been told of. */
  z.object({ kind: z.literal("cutOnBegin") }),
  z.object({ kind: z.literal("cutAfterBegin") }),
  /** Identify and resume are never answered; heartbeats are. */
  z.object({ kind: z.literal("mute") }),
  /** Closed with that code after the hello. */
  z.object({ kind: z.literal("close"), code: z.int() }),
  /** Identify or resume is answered by op 9. */
  z.object({ kind: z.literal("invalidSession"), resumable: z.boolean() }),
  /** Heartbeats are never acknowledged: a zombie. */
  z.object({ kind: z.literal("noAck") }),
]);

export type ConnectFault = Readonly<z.infer<typeof connectFaultSchema>>;

/** What can go wrong with one event of the gateway. */
export const dispatchFaultSchema = z.discriminatedUnion("kind", [
  /** Never sent. */
  z.object({ kind: z.literal("lose") }),
  /** Sent twice. */
  z.object({ kind: z.literal("duplicate") }),
  /** Sent when the gate opens: what comes later overtakes it. */
  z.object({ kind: z.literal("hold"), gate: z.string() }),
]);

export type DispatchFault = Readonly<z.infer<typeof dispatchFaultSchema>>;
