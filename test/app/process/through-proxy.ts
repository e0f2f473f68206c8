/** A process that asks for what the host asks for, with a proxy set. Prints what the proxy was asked. */

import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { once } from "node:events";
import { REST } from "@discordjs/rest";
import { App, HTTPReceiver } from "@slack/bolt";
import { WebSocketServer } from "ws";
import { createSocket } from "../../../adapters/slack/receive/socket.ts";
import { createLog } from "../../../src/app/log.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { useOutgoingProxy } from "../../../src/app/process/outgoing-proxy.ts";

const asked = new Set<string>();
const proxy = createServer().on("connect", (request, socket) => {
  asked.add(request.url?.split(":")[0] ?? "");
  const target = connect(Number(request.url?.split(":")[1]), "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Yes\r\n\r\n");
    socket.pipe(target).pipe(socket);
  });
  for (const side of [socket, target]) side.on("error", () => void target.destroy());
});
proxy.listen(0, "127.0.0.1");
await once(proxy, "listening");

const portOf = (address: AddressInfo | string | null): number =>
  address === null || typeof address === "string" ? 0 : address.port;

const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  const port = portOf(server.address());
  response.end(
    JSON.stringify(
      request.url?.includes("apps.connections.open") === true
        ? { ok: true, url: `ws://socket.slack.test:${port}/` }
        : {
            url: `ws://gateway.discord.test:${port}`,
            shards: 1,
            session_start_limit: { total: 1, remaining: 1, reset_after: 0, max_concurrency: 1 },
          },
    ),
  );
});
const sockets = new WebSocketServer({ server });
server.listen(0, "127.0.0.1");
await once(server, "listening");
const port = portOf(server.address());

useOutgoingProxy({
  HTTP_PROXY: `http://127.0.0.1:${portOf(proxy.address())}`,
  HTTPS_PROXY: undefined,
  NO_PROXY: [`direct.localhost:${port}`],
});

await fetch(`http://model.test:${port}/`);
await fetch(`http://127.0.0.1:${port}/`);

const slackConnected = once(sockets, "connection");
const app = new App({
  receiver: new HTTPReceiver({ signingSecret: "x" }),
  authorize: () => Promise.resolve({}),
});
const slack = createSocket({
  app,
  appToken: "xapp-1",
  apiUrl: `http://slack.test:${port}/api/`,
  isProxied: true,
  clock: systemClock,
  log: createLog("silent", []),
  greeted: () => undefined,
  ending: () => undefined,
});
slack.open.catch(() => undefined);
await slackConnected;
slack.stop();

const { WebSocketManager } = await import("@discordjs/ws");
const rest = new REST({ api: `http://discord.test:${port}` }).setToken("a.b.c");
const gateway = new WebSocketManager({ token: "a.b.c", intents: 0, rest });
const discordConnected = once(sockets, "connection");
void gateway.connect();
await discordConnected;

console.log(JSON.stringify([...asked].toSorted()));
process.exit(0);
