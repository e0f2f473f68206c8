/** Frames as the client asked for them: plain text, or one zlib stream for the whole connection. */

import { constants, createDeflate } from "node:zlib";
import { WebSocket } from "ws";

export const packer = (ws: WebSocket, compress: string | null): ((text: string) => void) => {
  const hand = (data: string | Buffer): void => {
    if (ws.readyState === WebSocket.OPEN) ws.send(data);
  };
  if (compress !== "zlib-stream") return hand;
  const stream = createDeflate({ flush: constants.Z_SYNC_FLUSH });
  stream.on("data", (chunk: Buffer) => hand(chunk));
  return (text) => {
    stream.write(text);
    stream.flush(constants.Z_SYNC_FLUSH);
  };
};
