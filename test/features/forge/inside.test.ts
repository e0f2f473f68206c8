/** 40.A7, 40.A8: a forge that is taken over leads Parley neither inside nor out of memory. */

import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Network } from "../../../sandbox/egress/address.ts";
import { createOutward } from "../../../sandbox/egress/outward.ts";
import { createConnectReach } from "../../../sandbox/egress/reach.ts";
import type { CredentialSecret } from "../../../src/features/forge/api/credentials.ts";
import { createForges } from "../../../src/features/forge/forges.ts";
import { bounded, createHeld, type ForgeHttp, withTimeouts } from "../../../src/features/forge/api/http.ts";
import { hasty } from "./hasty.ts";
import { repo, signal, TOKEN } from "./world.ts";

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A server inside, and what was asked of it. */
const inner = async () => {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "content-type": "application/json" }).end('{"secret":"inner words"}');
  });
  return { url, asked };
};

const outwardWith = (unsafeOpen: readonly Network[]) =>
  createOutward(
    createConnectReach({
      rules: { names: null, networks: [] },
      lookup: () => Promise.resolve([]),
      unsafeOpen,
    }),
  );
const judged = outwardWith([]);
const open = outwardWith([{ address: [127, 0, 0, 0], bits: 8 }]);

const on = (api: string, access: CredentialSecret, changes: Partial<ForgeHttp> = {}) => {
  const located = createForges({
    credentials: [{ repos: ["acme/*"], api, git: api, access }],
    fits: () => true,
    userAgent: "parley-test",
    wire: hasty({ outward: judged, ...changes }),
  }).at(repo);
  if (located.kind === "none") throw new Error(located.why);
  return located.project;
};

const GITHUB: CredentialSecret = { kind: "github-token", token: TOKEN };
const GITLAB: CredentialSecret = { kind: "gitlab-token", token: TOKEN };

describe("40.A8 a redirect of the API", () => {
  it.each([
    ["GitHub", GITHUB, 301],
    ["GitHub", GITHUB, 302],
    ["GitHub", GITHUB, 307],
    ["GitLab", GITLAB, 302],
    ["GitLab", GITLAB, 307],
  ] as const)("%s: to another server is not followed (%s, %i)", async (_, access, status) => {
    const inside = await inner();
    const api = await serve((_request, response) =>
      response.writeHead(status, { location: `${inside.url}/latest/meta-data/` }).end(),
    );
    const answers = [
      await on(api, access).issue(1, 1, signal),
      await on(api, access).pull(1, signal),
      await on(api, access).checks("main", signal),
      await on(api, access).search("words", "all", signal),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ kind: "trouble", why: expect.stringContaining("has changed") });
    expect(inside.asked).toEqual([]);
  });

  it("to the forge itself is followed, as GitHub has it of a renamed repository", async () => {
    const asked: string[] = [];
    const api = await serve((request, response) => {
      const url = request.url ?? "";
      asked.push(url);
      if (url.startsWith("/repos/")) {
        response.writeHead(301, { location: url.replace("/repos/acme/shop", "/repositories/7") }).end();
        return;
      }
      response.writeHead(200, { "content-type": "application/json" });
      const issue = { number: 1, title: "Under the new name", state: "open", html_url: "https://x.example" };
      response.end(JSON.stringify(url.includes("comments") ? [] : { ...issue, labels: [], comments: 0 }));
    });
    expect(await on(api, GITHUB).issue(1, 1, signal)).toMatchObject({
      kind: "found",
      value: { title: "Under the new name" },
    });
    expect(asked.some((url) => url.startsWith("/repositories/7/"))).toBe(true);
  });
});

const checksWith = async (location: (api: string) => string, outward = judged) => {
  const asked: string[] = [];
  const api: string = await serve((request, response) => {
    const url = request.url ?? "";
    asked.push(url);
    if (url.endsWith("/logs")) return void response.writeHead(302, { location: location(api) }).end();
    if (url === "/own-store") return void response.writeHead(200).end("the end of the log");
    response.writeHead(200, { "content-type": "application/json" });
    const run = {
      id: 1,
      name: "test",
      status: "completed",
      conclusion: "failure",
      html_url: "https://x.example",
      app: { slug: "github-actions" },
      output: { summary: "the summary", text: null },
    };
    response.end(
      JSON.stringify(
        url.includes("check-runs") ? { total_count: 1, check_runs: [run] } : { total_count: 0, statuses: [] },
      ),
    );
  });
  const checks = await on(api, GITHUB, { outward }).checks("main", signal);
  return checks.kind === "found" ? checks.value.runs[0]?.log : checks;
};

describe("40.A8 the address of a job's log", () => {
  it("that lies inside is not asked, and the summary stands in its place", async () => {
    const inside = await inner();
    const port = new URL(inside.url).port;
    for (const url of [inside.url, `http://localhost:${port}/x`, "http://169.254.169.254/latest/meta-data/"])
      expect(await checksWith(() => url)).toBe("the summary");
    expect(inside.asked).toEqual([]);
  });

  it("on the forge itself is read, and so is a store that the judge lets through", async () => {
    expect(await checksWith((api) => `${api}/own-store`)).toBe("the end of the log");
    const store = await serve((request, response) => {
      expect(request.headers.authorization).toBeUndefined();
      response.writeHead(200).end("kept elsewhere");
    });
    expect(await checksWith(() => store, open)).toBe("kept elsewhere");
  });
});

describe("40.A7 answers of a forge", () => {
  it.each([
    ["GitHub", GITHUB],
    ["GitLab", GITLAB],
  ] as const)(
    "%s: of any size are read to a bound, packed ones too, and said to be too much",
    async (_, access) => {
      let sent = 0;
      const packed = gzipSync(Buffer.alloc(100 * 2 ** 20, "[".charCodeAt(0)));
      const endless = await serve((_request, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const chunk = Buffer.alloc(2 ** 20, " ");
        const more = (): void => {
          while (!response.destroyed && sent < 900 * 2 ** 20) {
            sent += chunk.length;
            if (!response.write(chunk)) return;
          }
        };
        response.on("drain", more);
        more();
      });
      const bomb = await serve((_request, response) =>
        response
          .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
          .end(packed),
      );
      for (const api of [endless, bomb])
        expect(await on(api, access).issue(1, 1, signal)).toMatchObject({
          kind: "trouble",
          why: expect.stringContaining("too much"),
        });
      expect(sent).toBeLessThan(200 * 2 ** 20);
    },
  );

  it("hold no more together than all may, and room is free again after them", async () => {
    const api = await serve((_request, response) => response.writeHead(200).end(Buffer.alloc(600)));
    const held = createHeld(1_000);
    const fetch = bounded(withTimeouts(hasty()), held);
    expect(held.take(500)).toBe(true);
    await expect(fetch(api)).rejects.toThrow();
    held.give(500);
    expect((await (await fetch(api)).arrayBuffer()).byteLength).toBe(600);
    expect(held.take(1_000)).toBe(true);
  });
});
