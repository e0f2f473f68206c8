import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** A site on this machine. */
export const siteWith = async (serve: Serve | Readonly<Record<string, string>>) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (typeof serve === "function") return serve(request, response);
    const html = serve[request.url ?? ""];
    if (html === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { root: `http://127.0.0.1:${port}/`, port, asked };
};
