/**
 * A socket that `@discordjs/ws` gives up while it still connects. The library takes its listener for errors away and leaves the socket
 * open, so that a refusal a moment later would end the whole process as an error without a listener (40.B).
 */

import { WebSocket } from "ws";

/** From now on a listener for errors that is taken away leaves one behind that does nothing. */
export const outliveLateErrors = (): void => {
  const known = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onerror");
  const set = known?.set;
  if (known === undefined || set === undefined || isOutlived) return;
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
