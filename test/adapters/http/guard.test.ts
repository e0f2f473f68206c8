/** The token, the origin and the host: each denial beside what is allowed (D4, docs/reference.md "Console API"). */

import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRig, type Rig, TOKEN } from "./rig.ts";

let rig: Rig;
let cookie: string;
let key: string;
beforeAll(async () => {
  rig = await createRig();
  ({ cookie, key } = await exchanged());
});
afterAll(() => rig.close());

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Not fetch: Host and Origin are the test's to choose. */
const get = (path: string, headers: Record<string, string> = {}, method = "GET", body = ""): Promise<Got> =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${rig.origin}${path}`, { headers, method, agent: false }, (incoming) => {
      let text = "";
      incoming.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });

/** What the start link gives a browser, as the origin of `host`. */
const exchanged = async (host = `127.0.0.1:${rig.port}`) => {
  const { headers } = await get(`/?token=${TOKEN}`, { host });
  const [cookie = ""] = headers["set-cookie"]?.[0]?.split(";") ?? [];
  return { cookie, key: String(headers["location"]).replace("/#key=", "") };
};

/** The head as it is, for what no client sends. */
const raw = async (head: string): Promise<string> => {
  const socket = connect(rig.port, "127.0.0.1");
  socket.end(`${head}Connection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text.split("\r\n")[0] ?? "";
};

const bearer = { authorization: `Bearer ${TOKEN}` };
const LIST = "/api/conversations";

const statuses = async (rig: Rig, count: number, forwarded: (index: number) => string) => {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const headers = { authorization: "Bearer guess", "x-forwarded-for": forwarded(index) };
    found.push((await fetch(`${rig.origin}${LIST}`, { headers })).status);
  }
  return found.filter((status) => status === 401).length;
};

describe("the token", () => {
  it.each<[string, string, Record<string, string>]>([
    ["nothing", LIST, {}],
    ["another token", LIST, { authorization: "Bearer wrong" }],
    ["a token that begins like it", LIST, { authorization: `Bearer ${TOKEN}x` }],
    ["another scheme", LIST, { authorization: `Basic ${TOKEN}` }],
    ["the token as cookie", LIST, { cookie: `parley=${TOKEN}` }],
    ["the token in the query of the API", `${LIST}?token=${TOKEN}`, {}],
    ["nothing, for the events", `${LIST}/c-1/events`, {}],
    ["nothing, for the page's files", "/page/app.js", {}],
    ["nothing, for what is not there", "/nothing", {}],
    ["nothing, for a feature's route", "/sample", {}],
  ])("%s: 401 in the API's shape", async (_, path, headers) => {
    const got = await get(path, headers);
    expect([got.status, JSON.parse(got.text)]).toEqual([
      401,
      { error: { type: "unauthorized", code: "token_needed", message: expect.any(String) } },
    ]);
  });

  it("as bearer, or as the link's cookie with the origin's key: 200", async () => {
    expect((await get(LIST, bearer)).status).toBe(200);
    expect((await get(LIST, { cookie, "x-parley-key": key })).status).toBe(200);
    expect((await get(LIST, { cookie: `other=1; ${cookie}; more=2`, "x-parley-key": key })).status).toBe(200);
    expect((await get("/page/app.js", { cookie })).status).toBe(200);
  });

  it("the cookie alone, which browsers send to every port, opens nothing; nor does the key alone", async () => {
    const id = await rig.begin();
    const own = [
      LIST,
      `${LIST}/${id}`,
      `${LIST}/${id}/events`,
      `${LIST}/${id}/trace`,
      `${LIST}/${id}/files/m-1/0`,
      "/api/images/x",
      "/api/about",
      "/api/status",
      "/sample",
      "/nothing",
    ];
    const elsewhere = (await exchanged(`localhost:${rig.port}`)).key;
    for (const path of own) {
      for (const headers of [
        { cookie },
        { "x-parley-key": key },
        { cookie, "x-parley-key": `${key}x` },
        { cookie, "x-parley-key": elsewhere },
        { cookie, "x-parley-key": cookie.split("=")[1] ?? "" },
      ])
        expect([path, (await get(path, headers)).status]).toEqual([path, 401]);
    }
    const body = JSON.stringify({ action: "stop" });
    const json = { cookie, "content-type": "application/json", "content-length": String(body.length) };
    expect((await get(`${LIST}/${id}/actions`, json, "POST", body)).status).toBe(401);
    expect((await get(`${LIST}/${id}/actions`, { ...json, "x-parley-key": key }, "POST", body)).status).toBe(
      200,
    );
    const here = { host: `localhost:${rig.port}`, cookie, "x-parley-key": elsewhere };
    expect((await get(LIST, here)).status).toBe(200);
  });

  it("40.A5 wrong tokens have to wait, and a right one is accepted meanwhile, as a bearer, a link and a session", async () => {
    const guessed = await createRig();
    const ask = async (headers: Record<string, string>, path = LIST) => {
      const answer = await fetch(`${guessed.origin}${path}`, { headers, redirect: "manual" });
      return { status: answer.status, headers: answer.headers, body: await answer.text() };
    };
    const link = await ask({}, `/?token=${TOKEN}`);
    const browser = {
      cookie: link.headers.get("set-cookie")?.split(";")[0] ?? "",
      "x-parley-key": link.headers.get("location")?.replace("/#key=", "") ?? "",
    };
    for (let guess = 0; guess < 10; guess += 1) {
      const wrong = { authorization: `Bearer guess-${guess}` };
      expect((await (guess % 2 === 0 ? ask(wrong) : ask({}, `/?token=guess-${guess}`))).status).toBe(401);
    }
    const refused = await ask({ authorization: "Bearer guess" });
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      429,
      { error: expect.objectContaining({ code: "too_many_wrong_tokens" }) },
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThan(7);
    expect((await ask({}, "/?token=guess")).status).toBe(429);
    expect((await ask(bearer)).status).toBe(200);
    expect((await ask({}, `/?token=${TOKEN}`)).status).toBe(303);
    expect((await ask(browser)).status).toBe(200);
    // Guesses at the console count for no other route.
    const wrong = { authorization: "Bearer guess" };
    expect((await ask(wrong, "/sample")).status).toBe(401);
    expect((await ask(bearer, "/sample")).status).toBe(200);
    await guessed.close();
  });

  it("40.A5 behind a named proxy each client is counted by its own address, and a client cannot choose another", async () => {
    const named = await createRig({ proxies: ["127.0.0.0/8", "10.1.0.0/16"] });
    expect(await statuses(named, 15, () => "203.0.113.5")).toBe(10);
    expect(await statuses(named, 15, () => "203.0.113.6, 10.1.2.3")).toBe(10);
    // The proxy adds the last address; what stands before it the client wrote.
    expect(await statuses(named, 15, (index) => `198.51.100.${index}, 203.0.113.7`)).toBe(10);
    expect(await statuses(named, 15, (index) => `[2001:db8:1:2::${index}]:443`)).toBe(10);
    await named.close();
    const unnamed = await createRig();
    expect(await statuses(unnamed, 15, (index) => `203.0.113.${index}`)).toBe(10);
    await unnamed.close();
  });

  it("the link is exchanged for a cookie that scripts and other sites never see", async () => {
    const got = await get(`/?token=${TOKEN}`);
    expect([got.status, got.headers["location"]]).toEqual([303, `/#key=${key}`]);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(cookie).not.toContain(key);
    const [set = ""] = got.headers["set-cookie"] ?? [];
    expect(set).toMatch(
      new RegExp(`^parley_${rig.port}=[\\w-]{43}; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Strict$`),
    );
    expect(set).not.toContain(TOKEN);
    const proxied = await get(`/?token=${TOKEN}`, { host: "parley.example" });
    expect(proxied.headers["set-cookie"]?.[0]).toContain("; Secure");
  });

  it("a browser without it gets a page that says how to come in, and nothing else", async () => {
    const accept = "text/html,*/*";
    for (const path of ["/", "/?token=wrong", "/anything"]) {
      const got = await get(path, { accept });
      expect([got.status, got.headers["content-type"]]).toEqual([401, "text/html; charset=utf-8"]);
      expect(got.text).toContain("npm start");
      expect(got.text).not.toContain("http-equiv");
    }
    const followed = await get("/", { accept, "sec-fetch-site": "cross-site" });
    expect(followed.text).toContain('http-equiv="refresh"');
    expect((await get("/", { accept, cookie })).text).toContain("<script");
  });
});

describe("origin and host", () => {
  it.each<[string, Record<string, string>]>([
    ["another site", { origin: "https://evil.example" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["an opaque origin", { origin: "null" }],
    ["a file", { origin: "file://" }],
    ["a rebound name", { host: "evil.example" }],
    ["a rebound name with its own origin", { host: "evil.example", origin: "http://evil.example" }],
    ["a name that ends like a known one", { host: "127.0.0.1.evil.example" }],
    ["loopback with a dot behind it", { host: "localhost." }],
    ["loopback written otherwise", { host: "127.1" }],
    ["loopback as a number", { host: "2130706433" }],
    ["every address", { host: "0.0.0.0" }],
    ["a proxy's word for a known name", { host: "evil.example", "x-forwarded-host": "localhost" }],
    ["a user before the console's origin", { origin: "http://127.0.0.1@evil.example" }],
    ["another protocol", { origin: "ws://127.0.0.1" }],
  ])("%s: 403, even with the token", async (_, headers) => {
    for (const own of [bearer, { cookie, "x-parley-key": key }]) {
      const got = await get(LIST, { ...own, ...headers });
      expect([got.status, JSON.parse(got.text)]).toEqual([
        403,
        { error: expect.objectContaining({ type: "forbidden" }) },
      ]);
    }
  });

  it("another site gets nothing done, even with both", async () => {
    const conversations = async (): Promise<unknown> =>
      JSON.parse((await get(`${LIST}?limit=100`, bearer)).text);
    const before = await conversations();
    const two = { "content-length": "2" };
    const forged = [
      { origin: "https://evil.example", "content-type": "text/plain" },
      // A page on another port of this machine is the same site to a browser, and sends the cookie.
      { origin: "http://localhost:3000", "content-type": "application/x-www-form-urlencoded" },
      { origin: "null", "content-type": "application/json" },
    ];
    for (const headers of forged) {
      for (const method of ["POST", "PATCH", "PUT", "DELETE"]) {
        expect(
          (await get(LIST, { ...headers, ...two, cookie, "x-parley-key": key }, method, "{}")).status,
        ).toBe(403);
      }
    }
    expect(await conversations()).toEqual(before);
    const signedIn = { cookie, "x-parley-key": key };
    const own = { ...two, ...signedIn, origin: rig.origin, "content-type": "application/json" };
    expect((await get(LIST, own, "POST", "{}")).status).toBe(201);
    expect(await conversations()).not.toEqual(before);
  });

  it("a host that is none: 400", async () => {
    expect((await get(LIST, { ...bearer, host: "localhost@evil.example" })).status).toBe(400);
  });

  it.each([
    ["no origin at all", () => ({})],
    ["the console's own", () => ({ origin: rig.origin })],
    ["localhost", () => ({ host: `localhost:${rig.port}`, origin: `http://localhost:${rig.port}` })],
    ["a forwarded port", () => ({ host: "localhost:9000", origin: "http://localhost:9000" })],
    ["IPv6 loopback", () => ({ host: `[::1]:${rig.port}` })],
    ["a declared name behind TLS", () => ({ host: "parley.example", origin: "https://parley.example" })],
  ])("%s: 200", async (_, headers) => {
    expect((await get(LIST, { ...bearer, ...headers() })).status).toBe(200);
  });

  it.each([
    ["whole, of another host", () => [`${rig.origin}${LIST}`, "evil.example"], 403],
    ["whole, without the token", () => [`${rig.origin}${LIST}`, null], 401],
    ["whole, by way of health", () => ["http://x/healthz/../api/conversations", null], 401],
    ["with a slash encoded", () => ["/healthz%2f..%2fapi%2fconversations", null], 401],
    ["with two slashes", () => ["//healthz", null], 401],
  ] as const)("a target that is written %s: refused", async (_, target, status) => {
    const [path, host] = target();
    const own = `127.0.0.1:${rig.port}`;
    const token = host === null ? "" : `Authorization: Bearer ${TOKEN}\r\n`;
    expect(await raw(`GET ${path} HTTP/1.1\r\nHost: ${host ?? own}\r\n${token}`)).toContain(` ${status} `);
  });

  it("two hosts in one request are as a foreign one, and none is none", async () => {
    const [own, token] = [`Host: 127.0.0.1:${rig.port}\r\n`, `Authorization: Bearer ${TOKEN}\r\n`];
    const status = async (hosts: string) =>
      (await raw(`GET ${LIST} HTTP/1.1\r\n${hosts}${token}`)).slice(9, 12);
    expect(await status(own)).toBe("200");
    expect(await status(`${own}Host: evil.example\r\n`)).toBe("403");
    expect(await status(`Host: evil.example\r\n${own}`)).toBe("403");
    expect(await status("")).toBe("400");
  });

  it("other methods open nothing: HEAD, a preflight, a header that names another", async () => {
    expect((await get(LIST, {}, "HEAD")).status).toBe(401);
    expect((await get(LIST, bearer, "HEAD")).status).toBe(200);
    const asked = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const preflight = await get(LIST, asked, "OPTIONS");
    expect(preflight.status).toBe(403);
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    const id = await rig.begin();
    const named = { ...bearer, "content-type": "application/json", "content-length": "2" };
    const override = { ...named, "x-http-method-override": "DELETE" };
    expect((await get(`${LIST}/${id}`, override, "POST", "{}")).status).toBe(404);
    expect((await get(`${LIST}/${id}`, bearer)).status).toBe(200);
  });

  it("health is told under any name, but not to another site", async () => {
    expect((await get("/healthz", { host: "10.0.0.7:8787" })).status).toBe(200);
    expect((await get("/healthz", { origin: "https://evil.example" })).status).toBe(403);
  });
});

describe("answers", () => {
  it("carry the headers that hold a page down, errors included", async () => {
    for (const path of ["/", LIST, "/page/app.js", "/nothing", "/healthz"]) {
      for (const key of [{}, bearer]) {
        const { headers } = await get(path, { ...key, accept: "text/html" });
        const policy = String(headers["content-security-policy"]);
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain("unsafe");
        expect(headers).toMatchObject({
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "cache-control": expect.stringMatching(/no-(store|cache)/),
        });
      }
    }
  });

  it("files of the page are named, never found by path", async () => {
    const attempts = [
      "/page/../app.ts",
      "/page/%2e%2e/app.ts",
      "/page/..%2fapp.ts",
      "/page//etc/passwd",
      "/page/",
    ];
    for (const path of attempts) expect((await get(path, bearer)).status).toBe(404);
    const first = await get("/page/app.js", bearer);
    expect(first.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    const again = await get("/page/app.js", { ...bearer, "if-none-match": String(first.headers["etag"]) });
    expect(again.status).toBe(304);
  });

  it("a port that is taken is a value with its remedy", async () => {
    await expect(createRig({ port: rig.port })).rejects.toThrow(/in use.*PARLEY_PORT/);
  });
});
