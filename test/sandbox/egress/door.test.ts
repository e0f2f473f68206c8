/** A door (`Policy.door`) lets one launch to one port of the host, and changes nothing else of what is refused. */

import { connect } from "node:net";
import { expect, it } from "vitest";
import { CLOSED, echo, listen, openAsker, readAll, statusOf } from "./client.ts";

const tunnelTo = (name: string): string => `CONNECT ${name} HTTP/1.1\r\n\r\n`;

it("is open to its launch alone, at its port alone, by its plain address alone", async () => {
  await using server = await listen(echo(), CLOSED);
  await using other = await listen(echo(), CLOSED);
  await using asker = await openAsker({}, [], server.port);
  const { port } = server;
  expect(statusOf(await asker.ask(tunnelTo(`127.0.0.1:${port}`)))).toBe(200);
  expect(server.count()).toBe(1);
  for (const name of [
    `127.0.0.1:${other.port}`,
    `localhost:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    "1.1.1.1:443",
  ])
    expect([name, statusOf(await asker.ask(tunnelTo(name)))]).toEqual([name, 403]);
  const stranger = connect({ path: `${asker.egress.directory}/s`, allowHalfOpen: true });
  const preamble = Buffer.alloc(4);
  preamble.writeUInt32LE(2);
  asker.egress.admit(2, []);
  stranger.end(Buffer.concat([preamble, Buffer.from(tunnelTo(`127.0.0.1:${port}`))]));
  expect(statusOf((await readAll(stranger)).toString("latin1"))).toBe(403);
  expect([server.count(), other.count()]).toEqual([1, 0]);
});
