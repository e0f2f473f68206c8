/** 40.C5: commands, git and documentation go through the operator's proxy; the judge of addresses stays before it. */

import { createServer } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { openTunnel } from "../../../sandbox/egress/upstream.ts";
import { bodyOf, CLOSED, echo, listen, OPEN, openAsker, statusOf } from "./client.ts";

/** A proxy that resolves every name to OPEN, which the host's own DNS does not know. */
const upstream = (asked: string[], status = 200) =>
  createServer().on("connect", (request, socket) => {
    asked.push(`${request.url} ${request.headers["proxy-authorization"] ?? "-"}`);
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const port = Number(request.url?.split(":").pop());
    const target = connect({ host: OPEN, port, allowHalfOpen: true }, () => {
      socket.write("HTTP/1.1 200 Yes\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    for (const side of [socket, target]) side.on("error", () => target.destroy());
  });

const unknown = (): Promise<readonly string[]> => Promise.resolve([]);

describe("40.C5 the operator's proxy", () => {
  it("opens a connection to a name that the host's DNS does not know, with the proxy's credentials", async () => {
    const asked: string[] = [];
    await using server = await listen(echo());
    await using proxy = await listen(upstream(asked));
    const address = new URL(`http://parley:s3%2Fcret@${OPEN}:${proxy.port}`);
    const destination = `docs.example:${server.port}`;
    await using asker = await openAsker({ lookup: unknown, proxyOf: () => address }, [destination]);
    const answer = await asker.ask(`CONNECT ${destination} HTTP/1.1\r\n\r\nhello`);
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain("echo:hello");
    expect(asked).toEqual([`${destination} Basic ${Buffer.from("parley:s3/cret").toString("base64")}`]);
    expect(asker.destinations()).toEqual([{ host: "docs.example", port: server.port, allowed: true }]);
  });

  it("is not asked for what the rules refuse", async () => {
    const asked: string[] = [];
    await using proxy = await listen(upstream(asked));
    const address = new URL(`http://${OPEN}:${proxy.port}`);
    await using asker = await openAsker({ lookup: inner, proxyOf: () => address });
    for (const name of [`${CLOSED}:443`, "169.254.169.254:80", "inner.example:443", "localhost:443"])
      expect([name, statusOf(await asker.ask(`CONNECT ${name} HTTP/1.1\r\n\r\n`))]).toEqual([name, 403]);
    expect(asked).toEqual([]);
  });

  it("is left out for what NO_PROXY names, and its refusal reaches the command in words", async () => {
    const asked: string[] = [];
    await using server = await listen(echo());
    await using proxy = await listen(upstream(asked, 403));
    const address = new URL(`http://${OPEN}:${proxy.port}`);
    const proxyOf = (host: string): URL | null => (host === OPEN ? null : address);
    await using asker = await openAsker({ lookup: unknown, proxyOf });
    expect(await asker.ask(`CONNECT ${OPEN}:${server.port} HTTP/1.1\r\n\r\nhi`)).toContain("echo:hi");
    const refused = await asker.ask("CONNECT github.com:443 HTTP/1.1\r\n\r\n");
    expect(statusOf(refused)).toBe(502);
    expect(bodyOf(refused)).toContain(
      "the operator's proxy answered 403 (it does not allow this destination)",
    );
    expect(asked).toEqual(["github.com:443 -"]);
  });

  it("is named as the cause if it does not run, and its password is not", async () => {
    const closed = await listen(createServer());
    await closed[Symbol.asyncDispose]();
    const proxy = new URL(`http://parley:hidden-word@${OPEN}:${closed.port}`);
    const tunnel = await openTunnel(proxy, "github.com:443", 60_000);
    expect(tunnel).toEqual({ kind: "failed", why: "the operator's proxy cannot be used: ECONNREFUSED" });
  });
});

const inner = (): Promise<readonly string[]> => Promise.resolve(["10.0.0.7"]);
