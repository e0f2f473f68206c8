/** The server of a host without a page: it says how the host is, answers requests of features, and serves browsers nothing. */

import { expect, it, onTestFinished } from "vitest";
import { createListener } from "../../../adapters/http/listener.ts";
import { UNOBSERVED } from "../../../src/ports/observer.ts";

const TOKEN = "a-token-of-the-test-0123456789";
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const open = async () => {
  const server = createListener({
    log: silent,
    observer: UNOBSERVED,
    requests: [
      {
        method: "get",
        path: "/sample/:name",
        does: "A sample.",
        approvers: null,
        answer: async (_, part) => new Response(`A sample of ${part("name")}.`),
      },
      {
        method: "post",
        path: "/sample",
        does: "Changes the sample.",
        approvers: "change the sample",
        answer: async () => new Response("Changed."),
      },
    ],
    besides: [
      {
        name: "hooks",
        owns: (path) => path.startsWith("/hooks/"),
        knows: () => false,
        fetch: async () => new Response("Received."),
      },
    ],
    web: null,
    token: TOKEN,
    operator: { mayApprove: false },
    hosts: [],
    published: null,
    proxies: [],
    version: "0.0.0-test",
    sandbox: { tier: "T0", abi: 6, network: "proxy", residual: [] },
    health: () => ({ status: "ok", surfaces: { slack: "on" }, away: [] }),
  });
  onTestFinished(() => server.close());
  const listening = await server.listen("127.0.0.1", 0);
  if (listening.kind === "failed") throw new Error(listening.message);
  const { url } = listening;
  return { url, get: (path: string, init?: RequestInit) => fetch(new URL(path, url), init) };
};

const AUTHORIZED = { headers: { authorization: `Bearer ${TOKEN}` } };
const BROWSER = { headers: { accept: "text/html" } };

it("its address holds no token, and it says how the host is", async () => {
  const { url, get } = await open();
  expect(new URL(url).search).toBe("");
  const health = await get("/healthz");
  expect([health.status, await health.json()]).toEqual([
    200,
    expect.objectContaining({ status: "ok", surfaces: { slack: "on" } }),
  ]);
  expect((await get("/readyz")).status).toBe(200);
});

it("requests and paths of features are answered, with the token and the rights that they need", async () => {
  const { get } = await open();
  expect(await (await get("/sample/one", AUTHORIZED)).text()).toBe("A sample of one.");
  expect((await get("/sample/one")).status).toBe(401);
  expect((await get("/sample", { ...AUTHORIZED, method: "POST" })).status).toBe(403);
  expect(await (await get("/hooks/one")).text()).toBe("Received.");
});

it("a browser gets no page, and the token in a link opens nothing", async () => {
  const { get } = await open();
  for (const path of ["/", `/?token=${TOKEN}`]) {
    const { status, headers } = await get(path, BROWSER);
    expect([status, headers.get("content-type"), headers.get("set-cookie")]).toEqual([
      401,
      "application/json",
      null,
    ]);
  }
  expect((await get("/", AUTHORIZED)).status).toBe(404);
  expect((await get("/page/app.js", AUTHORIZED)).status).toBe(404);
});
