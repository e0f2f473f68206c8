/** Limits a server's output: a flooding server is ended, because the host itself reads the output. */

import type { Clock } from "../../ports/host.ts";

import type { JsonBounds } from "../../text/outside-json.ts";

/** Bytes of one message; enough for a picture in base64. */
export const MAX_MESSAGE = 4 * 2 ** 20;
/** The SDK parses a message in one step: no message within these limits blocks the event loop for 100 ms. */
export const MESSAGE_BOUNDS: JsonBounds = {
  parts: 20_000,
  depth: 200,
  size: MAX_MESSAGE,
};
/** Metadata of a token issuer is small, and a schema reads all fields. */
export const ACCESS_BOUNDS: JsonBounds = {
  parts: 2_000,
  depth: 20,
  size: 2 ** 18,
};
const MAX_BYTES = 32 * 2 ** 20;
const MAX_MESSAGES = 5_000;
const WINDOW = 60_000;

export interface Meter {
  /** Returns false once the limits of a minute are exceeded. */
  take(bytes: number, messages: number): boolean;
}

export const createOutputMeter = (clock: Pick<Clock, "now">): Meter => {
  let began = clock.now();
  let bytes = 0;
  let messages = 0;
  return {
    take: (more, count) => {
      if (clock.now() - began >= WINDOW) [began, bytes, messages] = [clock.now(), 0, 0];
      bytes += more;
      messages += count;
      return bytes <= MAX_BYTES && messages <= MAX_MESSAGES;
    },
  };
};

export const FLOODED = "it said more than a server may within a minute";
