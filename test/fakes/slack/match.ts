/** For which requests and deliveries a fault is meant. */

import { z } from "zod";
import type { Call } from "./call.ts";
import type { Delivery } from "./deliveries.ts";

/** All that is given must hold. */
export const matchSchema = z.object({
  /** A Web API method, or `upload`, `download`, `response_url`. Unset: any Web API method. */
  method: z.string().optional(),
  channel: z.string().optional(),
  /** Stands somewhere in the JSON of the arguments. */
  contains: z.string().optional(),
});

export type Match = Readonly<z.infer<typeof matchSchema>>;
export type Matching = Match | ((call: Call) => boolean);

/** All that is given must hold. */
export const deliveryMatchSchema = z.object({
  type: z.enum(["events_api", "interactive", "slash_commands"]).optional(),
  /** The `type` of an event or of an interaction's payload. */
  event: z.string().optional(),
  /** Stands somewhere in the JSON of the payload. */
  contains: z.string().optional(),
});

export type DeliveryMatch = Readonly<z.infer<typeof deliveryMatchSchema>>;
export type DeliveryMatching = DeliveryMatch | ((delivery: Delivery) => boolean);

export const admits = (match: Matching): ((call: Call) => boolean) =>
  typeof match === "function"
    ? match
    : (call) =>
        (match.method === undefined
          ? call.exchange.path.startsWith("/api/")
          : call.method === match.method) &&
        (match.channel === undefined || call.args["channel"] === match.channel) &&
        (match.contains === undefined || JSON.stringify(call.args).includes(match.contains));

export const admitsDelivery = (match: DeliveryMatching): ((delivery: Delivery) => boolean) =>
  typeof match === "function"
    ? match
    : (delivery) =>
        (match.type === undefined || delivery.type === match.type) &&
        (match.event === undefined || eventTypeOf(delivery) === match.event) &&
        (match.contains === undefined || JSON.stringify(delivery.payload).includes(match.contains));

const typed = z.object({ type: z.string() });

/** The `type` of the event inside a callback, or of the payload itself. */
export const eventTypeOf = ({ payload }: Pick<Delivery, "payload">): string | undefined => {
  const event = typed.safeParse(payload["event"] ?? payload);
  return event.success ? event.data.type : undefined;
};
