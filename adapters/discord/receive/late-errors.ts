/**
 * Errors of sockets that `@discordjs/ws` gives up while they still connect. The library removes its error listener and leaves the
 * socket open. A refusal a moment later would then be an error without a listener, and end the whole process (40.B).
 */

import { WebSocket } from "ws";

/** Changes every WebSocket of `ws` in this process: a removed error listener leaves one behind that does nothing. */
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
