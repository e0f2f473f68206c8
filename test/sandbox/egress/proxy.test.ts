/** The host's proxy, spoken to as the relay speaks to it: what gets through, what does not, and that nothing else moves. */

import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { bodyOf, echo, listen, OPEN, openAsker, readAll, readUntil, statusOf } from "./client.ts";

describe("CONNECT", () => {
  it("carries bytes both ways, and each side's end is the other's end and no more", async () => {
    await using server = await listen(echo());
    await using asker = await openAsker();
    const socket = asker.open();
    socket.write(`CONNECT ${OPEN}:${server.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await readUntil(socket, "\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
    socket.end("after the end of my side I still read");
    expect((await readAll(socket)).toString()).toBe("echo:after the end of my side I still read");
    expect(asker.destinations()).toEqual([{ host: OPEN, port: server.port, allowed: true }]);
  });

  it("lets the client write on after the server has ended its side", async () => {
    const heard = Promise.withResolvers<string>();
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.end("done talking");
      void readAll(socket).then((bytes) => heard.resolve(bytes.toString()));
    });
    await using listening = await listen(server);
    await using asker = await openAsker();
    const socket = asker.open();
    socket.write(`CONNECT ${OPEN}:${listening.port} HTTP/1.1\r\n\r\n`);
    await readUntil(socket, "done talking");
    socket.end("still listening?");
    expect(await heard.promise).toBe("still listening?");
  });

  it("does not lose what the client sends before it is answered", async () => {
    await using server = await listen(echo());
    await using asker = await openAsker();
    expect(await asker.ask(`CONNECT ${OPEN}:${server.port} HTTP/1.1\r\n\r\nearly`)).toMatch(
      /\r\n\r\necho:early$/,
    );
  });

  it("says that a destination cannot be reached, and what its name has not", async () => {
    await using server = await listen(echo());
    const { port } = server;
    await server[Symbol.asyncDispose]();
    await using asker = await openAsker({ lookup: async () => [] });
    const refused = await asker.ask(`CONNECT ${OPEN}:${port} HTTP/1.1\r\n\r\n`);
    expect([statusOf(refused), bodyOf(refused)]).toEqual([
      502,
      `${OPEN}:${port} cannot be reached: ECONNREFUSED.\n`,
    ]);
    const unknown = await asker.ask("CONNECT nowhere.example:443 HTTP/1.1\r\n\r\n");
    expect([statusOf(unknown), bodyOf(unknown)]).toEqual([
      502,
      "nowhere.example has no address in the DNS.\n",
    ]);
  });
});

describe("a plain request", () => {
  it("is passed on in origin form, for the host that was judged, without what belongs to the hop", async () => {
    await using server = await listen(mirror());
    await using asker = await openAsker();
    const head = `POST http://${OPEN}:${server.port}?q=1 HTTP/1.1\r\nHost: elsewhere.example\r\nProxy-Authorization: Basic x\r\nX-Kept: a\r\nX-Kept: b\r\n`;
    const first = await asker.wait(`${head}Content-Length: 4\r\nConnection: close\r\n\r\nbody`);
    const sent: unknown = JSON.parse(bodyOf(first).replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, ""));
    expect(sent).toEqual({
      method: "POST",
      url: "/?q=1",
      body: "body",
      headers: {
        host: `${OPEN}:${server.port}`,
        connection: "close",
        "x-kept": "a, b",
        "content-length": "4",
      },
    });
    const chunked = await asker.wait(
      `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
    );
    expect(chunked).toContain('"body":"abcde"');
    expect(chunked).toContain('"transfer-encoding":"chunked"');
  });

  it("is judged anew for each request of one connection, and no redirect is followed", async () => {
    await using server = await listen(mirror());
    await using asker = await openAsker();
    const socket = asker.open();
    socket.write(`GET http://${OPEN}:${server.port}/one HTTP/1.1\r\nHost: x\r\n\r\n`);
    await readUntil(socket, "/one");
    socket.write(`GET http://${OPEN}:${server.port}/moved HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await readUntil(socket, "/moved")).toMatch(/302 Found[^]*Location: http:\/\/169\.254\.169\.254\//);
    socket.write("GET http://169.254.169.254/ HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await readUntil(socket, "metadata")).toMatch(/HTTP\/1\.1 403 /);
    socket.destroy();
    expect(asker.destinations()).toEqual([
      { host: OPEN, port: server.port, allowed: true },
      { host: "169.254.169.254", port: 80, allowed: false },
    ]);
  });

  it("with a body where none is expected reaches the other side as one request", async () => {
    await using server = await listen(mirror());
    await using asker = await openAsker();
    const inner = `GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`;
    const answer = await asker.wait(
      `GET http://${OPEN}:${server.port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
    expect(answer).toContain('"url":"/"');
  });
});

describe("a connection", () => {
  it("that asks for a tunnel behind a request that is not answered is closed, and nothing else is", async () => {
    await using server = await listen(echo());
    await using asker = await openAsker();
    const tunnel = `CONNECT ${OPEN}:${server.port} HTTP/1.1\r\n\r\n`;
    await asker.wait(`GET http://${OPEN}:${server.port}/ HTTP/1.1\r\nHost: x\r\n\r\n${tunnel}`);
    expect(await asker.ask(`${tunnel}after`)).toMatch(/echo:after$/);
  });

  it("of a launch that is unknown or over is closed without a word, and its tunnels end with it", async () => {
    await using server = await listen(createServer((socket) => socket.write("greeting")));
    await using asker = await openAsker();
    const line = `CONNECT ${OPEN}:${server.port} HTTP/1.1\r\n\r\n`;
    const stranger = asker.open(2);
    stranger.end(line);
    expect((await readAll(stranger)).length).toBe(0);
    const tunnel = asker.open();
    tunnel.write(line);
    await readUntil(tunnel, "greeting");
    const closed = once(tunnel, "close");
    tunnel.on("end", () => tunnel.end()).resume();
    asker.destinations();
    await closed;
    expect((await asker.ask(line)).length).toBe(0);
    expect(server.count()).toBe(1);
  });

  it("loses none of its bytes, however they are cut", async () => {
    await using server = await listen(echo());
    await using asker = await openAsker();
    const socket = asker.open();
    for (const byte of Buffer.from(`CONNECT ${OPEN}:${server.port} HTTP/1.1\r\n\r\n`))
      socket.write(Buffer.from([byte]));
    socket.end("cut");
    expect((await readAll(socket)).toString()).toMatch(/\r\n\r\necho:cut$/);
  });

  it("that ends before it has said whose it is takes nothing along", async () => {
    await using asker = await openAsker();
    for (const bytes of ["", "a"]) {
      const socket = asker.open();
      socket.end(bytes);
      await readAll(socket);
    }
    expect(asker.destinations()).toEqual([]);
  });
});

/** Answers with the request as it arrived. */
const mirror = () =>
  createHttpServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      if (request.url === "/moved") response.writeHead(302, { Location: "http://169.254.169.254/" });
      const { method, url, headers } = request;
      response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(pieces).toString() }));
    });
  });
