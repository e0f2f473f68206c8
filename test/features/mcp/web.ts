/** A server that others wrote, over HTTP on this machine, behind a door of ours. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { expect, onTestFinished } from "vitest";
import { freePort } from "../../free-port.ts";
import { real } from "./world.ts";

/** Whether it answers the request itself, because it lets nobody in with it. */
export type Door = (asked: IncomingMessage, answer: ServerResponse) => boolean;

export const bearing =
  (token: string): Door =>
  ({ headers }, answer) => {
    if (headers.authorization === `Bearer ${token}`) return false;
    answer.writeHead(401).end();
    return true;
  };

/** Its address, with server-everything behind the door. */
export const openWeb = async (door: Door): Promise<string> => {
  const inner = await freePort();
  const child = spawn(process.execPath, real("everything", "streamableHttp").argv.slice(1), {
    env: { PORT: String(inner) },
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill());
  const front = createServer((asked, answer) => {
    if (door(asked, answer)) return;
    const { method, url, headers } = asked;
    const on = request({ host: "127.0.0.1", port: inner, method, path: url, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    on.on("error", () => answer.destroy());
    asked.pipe(on);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  onTestFinished(() => {
    front.closeAllConnections();
    front.close();
  });
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${inner}/mcp`).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  return `http://127.0.0.1:${portOf(front)}/mcp`;
};

export const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};
