/** For which requests a fault is meant. */

import { z } from "zod";
import type { Call } from "./call.ts";

/** All that is given must hold. */
export const matchSchema = z.object({
  /** As in `POST /channels/{channel}/messages`. Unset: any route. */
  route: z.string().optional(),
  channel: z.string().optional(),
  /** Stands somewhere in the JSON of the body. */
  contains: z.string().optional(),
});

export type Match = Readonly<z.infer<typeof matchSchema>>;
export type Matching = Match | ((call: Call) => boolean);

export const admits = (match: Matching): ((call: Call) => boolean) =>
  typeof match === "function"
    ? match
    : ({ route, params, body }) =>
        (match.route === undefined || route === match.route) &&
        (match.channel === undefined || params["channel"] === match.channel) &&
        (match.contains === undefined || JSON.stringify(body ?? null).includes(match.contains));
