/** 40.A1, 40.A7, 40.A8: messages of a server are counted before a schema reads them, and no address of it is followed inside. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseNetwork } from "../../../sandbox/egress/address.ts";
import { createLookup } from "../../../sandbox/egress/lookup.ts";
import { createOutward } from "../../../sandbox/egress/outward.ts";
import { createConnectReach } from "../../../sandbox/egress/reach.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { openConnection } from "../../../src/features/mcp/connection.ts";
import { guardMessages, listProblemOf } from "../../../src/features/mcp/guard.ts";
import { createOutputMeter } from "../../../src/features/mcp/meter.ts";
import { createSandboxTransport } from "../../../src/features/mcp/stdio.ts";
import type { HttpWay } from "../../../src/features/mcp/entry.ts";
import { createTokens } from "../../../src/features/mcp/tokens.ts";
import { scratch } from "../../scratch.ts";
import { stallsWhile } from "../../stalls.ts";
import { portOf } from "./web.ts";
import { at } from "./world.ts";

const text = (said: string) => ({ type: "text", text: said });
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });
const answer = (result: object) => ({ jsonrpc: "2.0", id: 1, result });
const ones = (count: number) => Array.from({ length: count }, () => 1);

describe("40.A1 an answer", () => {
  it.each([
    ["content.1", answer({ content: [text("a"), 1, 2] })],
    ["tools.0", answer({ tools: [{ inputSchema: {} }] })],
    [
      "tools.1",
      answer({ tools: [tool("a"), tool("b", { inputSchema: { type: "object", required: ones(50_000) } })] }),
    ],
    ["more than 2000 entries in content", answer({ content: ones(150_000) })],
    [
      "more than 2000 entries",
      answer({ content: [{ ...text("a"), annotations: { audience: ones(50_000) } }] }),
    ],
    [
      "more than 2000 entries",
      answer({ tools: Array.from({ length: 500 }, () => tool("a", { icons: ones(10) })) }),
    ],
    ["more than 2000 entries", answer({ supportedVersions: ones(150_000) })],
    ["more than 2000 entries", { jsonrpc: "2.0", method: "a", params: { list: ones(150_000) } }],
  ])("is refused for %s", (why, message) => {
    expect(listProblemOf(message)).toContain(why);
  });

  it.each([
    answer({ content: [text("a"), { type: "image", data: "aa", mimeType: "image/png" }], isError: true }),
    answer({ content: [], structuredContent: { rows: ones(150_000) } }),
    answer({
      tools: Array.from({ length: 500 }, (_, no) => tool(`t${no}`, { annotations: { readOnlyHint: true } })),
    }),
    answer({
      tools: [
        tool("a", {
          inputSchema: { type: "object", required: ["a"], properties: { a: { enum: ones(5_000) } } },
        }),
      ],
    }),
    answer({}),
    { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } },
  ])("that a server may give is read", (message) => {
    expect(listProblemOf(message)).toBeNull();
  });
});

type Serve = (asked: IncomingMessage, answer: ServerResponse, method: string, id: unknown) => boolean;

/** A server that speaks the protocol but for what `serve` answers itself. */
const server = async (serve: Serve) => {
  const asked: string[] = [];
  const listening = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    let body = "";
    incoming.on("data", (part: Buffer) => {
      body += part.toString();
    });
    incoming.on("end", () => {
      const { method = "", id = null } = body === "" ? {} : JSON.parse(body.startsWith("{") ? body : "{}");
      if (serve(incoming, outgoing, method, id)) return;
      const json = (result: object) =>
        outgoing
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, ...result }));
      if (incoming.method !== "POST") outgoing.writeHead(405).end();
      else if (id === null) outgoing.writeHead(202).end();
      else if (method === "initialize") {
        const about = { capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } };
        json({ result: { protocolVersion: "2025-06-18", ...about } });
      } else if (method === "tools/list") json({ result: { tools: [tool("echo")] } });
      else json({ error: { code: -32_601, message: "no such method" } });
    });
  });
  await new Promise<void>((resolve) => void listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return { origin: `http://127.0.0.1:${portOf(listening)}`, asked };
};

/** `unsafeOpen`: networks that the judge lets through. */
const open = async (way: HttpWay, unsafeOpen: readonly string[] = []) => {
  const connection = await openConnection(
    { name: "web", way, reads: [], timeout: 120_000, secrets: [] },
    {
      sandbox: { start: () => Promise.reject(new Error("nothing runs here")) },
      clock: systemClock,
      tokens: createTokens(join(scratch("mcp-tokens")), () => undefined),
      outward: createOutward(
        createConnectReach({
          rules: { names: null, networks: [] },
          lookup: createLookup(),
          unsafeOpen: unsafeOpen.map(parseNetwork).filter((network) => network !== null),
        }),
      ),
    },
  );
  onTestFinished(() => connection.close());
  return connection;
};

describe("over HTTP", () => {
  const NOTICE = '{"jsonrpc":"2.0","method":"notifications/message"}';
  it.each([
    [
      "40.A1 8 MB of wrong entries",
      "application/json",
      `{"jsonrpc":"2.0","id":ID,"result":{"content":[${"1,".repeat(4_000_000)}1]}}`,
      "has more than 20000 elements",
    ],
    [
      "40.A7 300,000 notices in a list",
      "application/json",
      `[${`${NOTICE},`.repeat(300_000)}${NOTICE}]`,
      "more than",
    ],
    [
      "40.A7 66,000 notices in a list",
      "application/json",
      `[${`${NOTICE},`.repeat(60_000)}${NOTICE}]`,
      "more than a server may",
    ],
    [
      "40.A7 300,000 notices in a stream",
      "text/event-stream",
      `data: ${NOTICE}\n\n`.repeat(300_000),
      "more than a server may",
    ],
  ])("%s end the call with one sentence", async (_, type, body, why) => {
    const { origin } = await server((__, outgoing, method, id) => {
      if (method !== "tools/call") return false;
      outgoing.writeHead(200, { "content-type": type }).end(body.replace("ID", String(id)));
      return true;
    });
    const connection = await open(at(`${origin}/mcp`));
    const called = await connection.call("echo", {}, new AbortController().signal);
    expect(called).toMatchObject({ kind: "failed", why: expect.stringContaining(why) });
    expect(JSON.stringify(called).length).toBeLessThan(1_000);
  });

  it("a call that a server answers as it should is answered", async () => {
    const { origin } = await server((__, outgoing, method, id) => {
      if (method !== "tools/call") return false;
      const message = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [text("there")] } });
      outgoing
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(`data: ${NOTICE}\n\ndata: ${message}\n\n`);
      return true;
    });
    const called = await (await open(at(`${origin}/mcp`))).call("echo", {}, new AbortController().signal);
    expect(called).toMatchObject({ kind: "result", result: { content: [{ text: "there" }] } });
  });
});

const MIB = 2 ** 20;
/** In the shape of an answer to a call; each takes the SDK the longest of its kind. */
const large = {
  ascii: answer({ content: [text("x".repeat(4 * MIB - 200))] }),
  cyrillic: answer({ content: [text(`ж${"x".repeat(3 * MIB)}`)] }),
  escapes: answer({ content: [text("\n".repeat(2 * MIB - 200))] }),
  fields: answer({
    content: [],
    structuredContent: Object.fromEntries(
      Array.from({ length: 19_000 }, (_, no) => [`${no} ${"k".repeat(180)}`, no]),
    ),
  }),
} as const;
const tooLarge = {
  mixed: [answer({ content: [text(`ж${"x".repeat(7 * MIB)}`)] }), "is longer than 4 MiB"],
  ascii: [answer({ content: [text("x".repeat(5 * MIB))] }), "is longer than 4 MiB"],
  fields: [answer({ content: [], structuredContent: { rows: ones(20_001) } }), "more than 20000 elements"],
} as const;

describe("40.A6 no answer of a server holds the event loop", () => {
  it.each(Object.entries(large))("over HTTP: %s is read", async (_, body) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const { origin } = await server((__, outgoing, method, id) => {
      if (method !== "tools/call") return false;
      expect(id).toBeGreaterThan(0);
      outgoing.writeHead(200, { "content-type": "application/json" }).end(withId(bytes, id));
      return true;
    });
    const connection = await open(at(`${origin}/mcp`));
    const { signal } = new AbortController();
    let kind = "";
    expect(
      await stallsWhile(async () => {
        ({ kind } = await connection.call("echo", {}, signal));
      }),
    ).toBe(0);
    expect(kind).toBe("result");
  });

  it.each(Object.entries(large))("from a program: %s is read", async (_, body) => {
    expect(await piped(body)).toEqual({ stalls: 0, heard: 1, why: null });
  });

  it.each(Object.entries(tooLarge))("from a program: %s beyond the bound ends it", async (_, [body, why]) => {
    expect(await piped(body)).toEqual({ stalls: 0, heard: 0, why: expect.stringContaining(why) });
  });
});

/** What comes of one message that a program writes in pieces. */
const piped = async (body: object) => {
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`);
  const sdk = await import("@modelcontextprotocol/client");
  let heard: object[] = [];
  let why: string | null = null;
  const stalls = await stallsWhile(async () => {
    let write = ignore;
    const transport = createSandboxTransport(
      {
        start: (request) => {
          if ("onOutput" in request) write = request.onOutput;
          return Promise.resolve({ id: 1, stop: () => undefined, done: new Promise(() => undefined) });
        },
      },
      "one",
      { kind: "stdio", argv: ["one"], env: {}, paths: [], writePaths: [], hosts: [] },
      { meter: createOutputMeter(systemClock), wire: sdk },
    );
    heard = [];
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transport has no events
    transport.onmessage = (message) => void heard.push(message);
    guardMessages(transport);
    await transport.start();
    for (let from = 0; from < bytes.length; from += 65_536) {
      write(bytes.subarray(from, from + 65_536));
      await setImmediate();
    }
    why = transport.why();
  });
  return { stalls, heard: heard.length, why };
};

const ignore = (_piece: Buffer): void => undefined;

/** The body with the id of the request in place of its own. */
const withId = (bytes: Buffer, id: unknown): Buffer =>
  Buffer.concat([
    Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},`),
    bytes.subarray('{"jsonrpc":"2.0","id":1,'.length),
  ]);

const oauth = (issuer: string) => ({ issuer, clientId: "parley", clientSecret: "secret-of-parley" });

/** Where it leads: an inner address that nobody may be led to. */
const inner = () =>
  server((_, outgoing) => outgoing.writeHead(200, { "content-type": "application/json" }).end("{}") && true);

describe("40.A8 an address that a server names", () => {
  it("for its metadata, its issuer, or by a redirect, is not asked if it is inside", async () => {
    const { origin: secret, asked } = await inner();
    const metadata = `${secret}/.well-known/oauth-protected-resource`;
    const ways: readonly Serve[] = [
      (_, outgoing) =>
        outgoing.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }).end() &&
        true,
      (incoming, outgoing) => {
        if (incoming.url?.includes("oauth-protected-resource") === true)
          return (
            outgoing.writeHead(200, { "content-type": "application/json" }).end(
              JSON.stringify({
                resource: `http://${incoming.headers.host}/mcp`,
                authorization_servers: [secret],
              }),
            ) && true
          );
        return outgoing.writeHead(401).end() && true;
      },
      (incoming, outgoing) =>
        incoming.url === "/mcp"
          ? outgoing.writeHead(401).end() && true
          : outgoing.writeHead(302, { location: metadata }).end() && true,
    ];
    for (const way of ways) {
      const { origin } = await server(way);
      await expect(
        open({ ...at(`${origin}/mcp`), oauth: oauth("https://issuer.example") }),
      ).rejects.toThrow();
    }
    expect(asked).toEqual([]);
  });

  it("40.A1 whose metadata is a flood ends the try with one sentence, at once", async () => {
    const floods = [
      `{"resource":"RESOURCE","authorization_servers":[${"1,".repeat(4 * MIB)}1]}`,
      `{"resource":"RESOURCE","authorization_servers":[${"1,".repeat(90_000)}1]}`,
      `{"resource":"RESOURCE","authorization_servers":[${"1,".repeat(1_900)}1]}`,
      `[${"1,".repeat(4 * MIB)}1]`,
    ];
    for (const flood of floods) {
      const asked: string[] = [];
      let bytes = Buffer.alloc(0);
      const { origin } = await server((incoming, outgoing) => {
        asked.push(incoming.url ?? "");
        if (incoming.url?.includes("well-known") !== true) return outgoing.writeHead(401).end() && true;
        outgoing.writeHead(200, { "content-type": "application/json" }).end(bytes);
        return true;
      });
      bytes = Buffer.from(flood.replace("RESOURCE", `${origin}/mcp`));
      let why = "";
      const stalls = await stallsWhile(async () => {
        await open({ ...at(`${origin}/mcp`), oauth: oauth(origin) }).catch((error: unknown) => {
          why = error instanceof Error ? error.message : "";
        });
      });
      expect([stalls, why.length > 0, why.length < 600]).toEqual([0, true, true]);
      expect(asked.some((url) => url.includes("well-known"))).toBe(true);
    }
  });

  it("and is asked if the operator named it, as the server's own, or if the judge lets it through", async () => {
    const { origin: secret, asked } = await inner();
    const { origin } = await server(
      (_, outgoing) =>
        outgoing
          .writeHead(401, { "www-authenticate": `Bearer resource_metadata="${secret}/metadata"` })
          .end() && true,
    );
    const way = { ...at(`${origin}/mcp`), oauth: oauth(secret) };
    await expect(open(way)).rejects.toThrow();
    expect(asked).toContain("GET /metadata");
    const before = asked.length;
    const other = { ...way, oauth: oauth("https://issuer.example") };
    await expect(open(other, ["127.0.0.0/8"])).rejects.toThrow();
    expect(asked.length).toBeGreaterThan(before);
  });
});
