/** Destinations that no command reaches, in every dress, and requests that are none. */

import { describe, expect, it } from "vitest";
import { createEgress } from "../../../sandbox/egress/egress.ts";
import { bodyOf, CLOSED, echo, listen, OPEN, openAsker, statusOf } from "./client.ts";

describe("what is refused", () => {
  const REFUSED = [
    `${CLOSED}:PORT`,
    "localhost:PORT",
    "any.localhost:80",
    "169.254.169.254:80",
    "metadata.google.internal:80",
    "[::1]:PORT",
    "[::ffff:127.0.0.1]:PORT",
    "[::ffff:7f00:1]:PORT",
    "[64:ff9b::7f00:1]:PORT",
    "[2002:7f00:1::]:PORT",
    "[fd00:ec2::254]:80",
    "10.0.0.1:443",
    "192.168.0.1:443",
    "100.64.0.1:443",
    "0.0.0.0:PORT",
    "224.0.0.1:443",
    "1.1.1.1:25",
    "1.1.1.1:9418",
    "self.example:443",
    "inner.example:443",
    "meta.example:80",
  ] as const;
  const MALFORMED = [
    "127.1:PORT",
    "2130706433:PORT",
    "0x7f000001:PORT",
    "0177.0.0.1:PORT",
    "[::1%lo]:PORT",
    "[fe80::1%25lo]:80",
    "u@127.0.0.1:PORT",
    "127.0.0.1:PORT:80",
    "127.0.0.1",
    ":PORT",
    "[127.0.0.1]:PORT",
  ] as const;

  it("gets one sentence with what to do, is recorded, and nothing is connected to", async () => {
    await using server = await listen(echo(), CLOSED);
    await using asker = await openAsker({ lookup });
    for (const each of REFUSED) {
      const name = each.replace("PORT", String(server.port));
      const tunnel = await asker.ask(`CONNECT ${name} HTTP/1.1\r\n\r\n`);
      const plain = await asker.ask(`GET http://${name}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect([name, statusOf(tunnel), statusOf(plain)]).toEqual([name, 403, 403]);
      expect(bodyOf(tunnel)).toMatch(
        /^Parley does not let commands reach .*(PARLEY_EGRESS|no setting opens|machine itself).*\.\n$/,
      );
    }
    expect(asker.destinations().every(({ allowed }) => !allowed)).toBe(true);
    expect(server.count()).toBe(0);
  });

  it("what could be read in two ways is no request", async () => {
    await using server = await listen(echo(), CLOSED);
    await using asker = await openAsker({ lookup });
    for (const each of MALFORMED) {
      const name = each.replace("PORT", String(server.port));
      expect([name, statusOf(await asker.ask(`CONNECT ${name} HTTP/1.1\r\n\r\n`))]).toEqual([name, 400]);
    }
    const to = `http://${OPEN}/`;
    const crooked = [
      `GET / HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET https://${OPEN}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET ftp://${OPEN}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET http://u:p@${OPEN}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET ${to} HTTP/1.1\r\nHost: x\nX: y\r\n\r\n`,
      `GET ${to} HTTP/1.1\r\nHost : x\r\n\r\n`,
      `GET ${to} HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n`,
      `GET ${to} HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n`,
      `GET ${to}\0 HTTP/1.1\r\nHost: x\r\n\r\n`,
      `POST ${to} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
      `POST ${to} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST ${to} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
      `CONNECT evil\0.example:443 HTTP/1.1\r\n\r\n`,
      `CONNECT a.example:443\rb HTTP/1.1\r\n\r\n`,
      `nonsense\r\n\r\n`,
      "\x16\x03\x01\x02\x00\x01\x00\x01",
    ];
    for (const bytes of crooked) {
      const answer = await asker.ask(Buffer.from(bytes, "latin1"));
      expect([bytes, statusOf(answer)]).toEqual([bytes, 400]);
    }
    const long = await asker.ask(`GET ${to} HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`);
    expect(statusOf(long)).toBe(431);
    expect(asker.destinations()).toEqual([]);
    expect(server.count()).toBe(0);
  });

  it("a name that changes its meaning is judged each time, and connected to as judged", async () => {
    await using inner = await listen(echo(), CLOSED);
    await using outer = await listen(echo());
    const answers = [[OPEN], [CLOSED], [CLOSED, OPEN]];
    let asked = 0;
    const changing = async (): Promise<readonly string[]> => answers[asked++ % answers.length] ?? [];
    const allow = [`*:${outer.port}`, `*:${inner.port}`];
    await using asker = await openAsker({ lookup: changing, allow });
    const connect = (port: number): Promise<string> =>
      asker.ask(`CONNECT rebind.example:${port} HTTP/1.1\r\n\r\nx`);
    expect(await connect(outer.port)).toMatch(/200[^]*echo:x/);
    expect(statusOf(await connect(inner.port))).toBe(403);
    expect(await connect(outer.port)).toMatch(/200[^]*echo:x/);
    expect([asked, inner.count(), outer.count()]).toEqual([3, 0, 2]);
  });

  it("a name that is not allowed is not even looked up", async () => {
    const asked: string[] = [];
    const spying = async (name: string): Promise<readonly string[]> => {
      asked.push(name);
      return [];
    };
    await using asker = await openAsker({ lookup: spying, allow: ["good.example"] });
    await asker.ask("CONNECT secret-in-a-name.evil.example:443 HTTP/1.1\r\n\r\n");
    await asker.ask("CONNECT good.example:443 HTTP/1.1\r\n\r\n");
    expect(asked).toEqual(["good.example"]);
  });

  it("a command with a list of its own reaches what is on it and nothing else", async () => {
    await using server = await listen(echo());
    await using other = await listen(echo());
    await using asker = await openAsker({}, [`${OPEN}:${server.port}`]);
    expect(statusOf(await asker.ask(`CONNECT ${OPEN}:${server.port} HTTP/1.1\r\n\r\n`))).toBe(200);
    const refused = await asker.ask(`CONNECT ${OPEN}:${other.port} HTTP/1.1\r\n\r\n`);
    expect(bodyOf(refused)).toContain(`this command may reach only ${OPEN}:${server.port}`);
    expect(other.count()).toBe(0);
  });

  it("beyond a hundred destinations of one command nothing is looked up or reached; those before go on", async () => {
    let asked = 0;
    const lookup = async (): Promise<readonly string[]> => {
      asked++;
      return [];
    };
    await using asker = await openAsker({ lookup });
    const statuses = [];
    for (let i = 0; i < 110; i++)
      statuses.push(statusOf(await asker.ask(`CONNECT n${i}.example:443 HTTP/1.1\r\n\r\n`)));
    expect(statuses).toEqual([...Array(100).fill(502), ...Array(10).fill(403)]);
    expect(statusOf(await asker.ask("CONNECT n7.example:443 HTTP/1.1\r\n\r\n"))).toBe(502);
    expect(asked).toBe(101);
    expect(asker.destinations()).toHaveLength(100);
  });
});

it("a list that cannot be read opens no proxy", async () => {
  expect(await createEgress({ allow: ["good.example", "not a host"] })).toEqual({
    kind: "failed",
    reason: "entry 2 is not a host, *.host, address or network, with or without :port",
  });
});

const lookup = async (name: string): Promise<readonly string[]> =>
  ({
    "self.example": [CLOSED],
    "inner.example": ["10.1.1.1", "fc00::1"],
    "meta.example": ["::ffff:169.254.169.254"],
  })[name] ?? [];
