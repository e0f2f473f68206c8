/** A socket that was given up while it connected ends nothing when it is refused later. */

import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { outliveLateErrors } from "../../../../adapters/discord/receive/late-errors.ts";

/** A socket whose handshake has arrived, and the server's side of it. */
const connecting = async (): Promise<{ readonly socket: WebSocket; readonly far: Socket }> => {
  const arrived = Promise.withResolvers<Socket>();
  const server = createServer((far) => {
    far.on("error", () => undefined);
    far.once("data", () => arrived.resolve(far));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const socket = new WebSocket(`ws://127.0.0.1:${address.port}`);
  return { socket, far: await arrived.promise };
};

const closed = (socket: WebSocket): Promise<unknown> =>
  new Promise((resolve) => {
    socket.once("close", resolve);
  });

/** As the library does it. */
const attend = (socket: WebSocket, listener: WebSocket["onerror"]): void => {
  Object.assign(socket, { onerror: listener });
};

it("40.B an error after the library took its listener away is nobody's", async () => {
  outliveLateErrors();
  outliveLateErrors();
  const { socket, far } = await connecting();
  const heard: string[] = [];
  attend(socket, ({ message }) => void heard.push(message));
  attend(socket, null);
  const over = closed(socket);
  far.end();
  await over;
  expect(heard).toEqual([]);
});

it("40.B an error that somebody listens for is heard, once", async () => {
  outliveLateErrors();
  const { socket, far } = await connecting();
  const heard: string[] = [];
  attend(socket, null);
  attend(socket, ({ message }) => void heard.push(message));
  const over = closed(socket);
  far.end();
  await over;
  expect(heard).toEqual(["socket hang up"]);
});
