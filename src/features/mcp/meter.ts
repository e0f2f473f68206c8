/** How much one server may say: whoever floods is ended, because its reader is the host itself. */

import type { Clock } from "../../ports/host.ts";

import type { JsonBounds } from "../../text/outside-json.ts";

/** Bytes of one message; a picture in base64 has room. */
export const MAX_MESSAGE = 4 * 2 ** 20;
/** The SDK reads a message at one go: no message within these holds the event loop for 100 ms. */
export const MESSAGE_BOUNDS: JsonBounds = {
  parts: 20_000,
  depth: 200,
  size: MAX_MESSAGE,
};
/** What an issuer of tokens says of itself is small, and a schema reads all of it. */
export const ACCESS_BOUNDS: JsonBounds = {
  parts: 2_000,
  depth: 20,
  size: 2 ** 18,
};
const MAX_BYTES = 32 * 2 ** 20;
const MAX_MESSAGES = 5_000;
const WINDOW = 60_000;

export interface Meter {
  /** False once it was too much within a minute. */
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
