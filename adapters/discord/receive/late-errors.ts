/**
 * Handles errors of sockets that `@discordjs/ws` abandons while they connect. The library removes its error
 * listener and leaves the socket open. A later refusal would be an error without a listener and would end the
 * process (40.B).
 */

import { WebSocket } from "ws";

/**
 * Changes every WebSocket of `ws` in this process: a removed error listener is replaced by a listener that does nothing.
 */
export const outliveLateErrors = (): void => {
  const known = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onerror");
  const set = known?.set;
  if (set === undefined || isOutlived) return;
  isOutlived = true;
  Object.defineProperty(WebSocket.prototype, "onerror", {
    ...known,
    set(this: WebSocket, listener: WebSocket["onerror"]) {
      set.call(this, listener ?? ignore);
    },
  });
};

let isOutlived = false;

const ignore = (): void => undefined;
