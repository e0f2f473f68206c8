/** 40.A1: 8 MB of `1,` at every entry point. Each answers with one short sentence and goes on; MCP's are in test/features/mcp. */

import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { hookSecret } from "../../adapters/hooks/signature.ts";
import { createHooks } from "../../adapters/hooks/hooks.ts";
import { createForges } from "../../src/forge/forges.ts";
import { createHmac } from "node:crypto";
import { MASTER, watchOf } from "./hooks/rig.ts";
import { watchWith } from "../runtime/watch/watch.ts";
import { hasty } from "../forge/hasty.ts";
import { stallsWhile } from "../stalls.ts";

/** As a list, and in a field that a schema reads. */
const ONES = `${"1,".repeat(4 * 2 ** 20)}1`;
const SHORT = 600;

describe("webhooks", () => {
  const generic = watchWith({ kind: "hook", title: null, text: null, key: null }, { id: "alerts" });
  const hooks = createHooks({
    master: MASTER,
    watcher: {
      all: () => [watchOf({}), watchOf({ forge: "gitlab" }, "forge-2"), generic],
      take: () => Promise.resolve({ kind: "stored" }),
      renew: () => undefined,
    },
    reposOf: () => ["github.com/acme/api"],
    clock: { now: () => 1 },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    limits: { each: 2 ** 24, all: 2 ** 26, time: 60_000 },
  });
  const post = async (name: string, body: string) => {
    const signature = createHmac("sha256", hookSecret(MASTER, name)).update(body).digest("hex");
    const headers = {
      "x-hub-signature-256": `sha256=${signature}`,
      "x-gitlab-token": hookSecret(MASTER, name),
      "x-github-event": "issues",
    };
    const answer = await hooks.fetch(
      new Request(`http://h/hooks/${name}`, { method: "POST", body, headers }),
    );
    return { status: answer.status, text: await answer.text() };
  };

  it.each(["github", "gitlab"])("of %s", async (name) => {
    const flood = await post(name, `{"issue":{"labels":[${ONES}]}}`);
    expect([flood.status, flood.text.length < SHORT]).toEqual([400, true]);
    expect((await post(name, "{}")).status).toBe(202);
  });

  it.each([
    ["a long list", `{"alarm":[${"1,".repeat(2 ** 19 - 10)}1]}`, 202],
    ["a list at the top", `[${"1,".repeat(2 ** 19 - 10)}1]`, 202],
    ["no JSON", "1,".repeat(2 ** 19), 400],
  ])("of any program: %s is one event, cut short, or none", async (_, body, status) => {
    let flood = { status: 0, text: "" };
    let sent = body;
    const stalls = await stallsWhile(async () => {
      flood = await post("alerts", sent);
      // Each try sends another event: a repeated one is known by its hash.
      sent += " ";
    });
    expect([stalls, flood.status, flood.text.length < SHORT]).toEqual([0, status, true]);
    expect((await post("alerts", '{"alarm":"disk"}')).status).toBe(202);
  });
});

const forge = async (kind: "github-token" | "gitlab-token", body: (path: string) => string | Buffer) => {
  const server = createServer((incoming, outgoing) =>
    outgoing.writeHead(200, { "content-type": "application/json" }).end(body(incoming.url ?? "")),
  );
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const api = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const located = createForges({
    credentials: [{ repos: ["*"], api, git: api, access: { kind, token: "token-of-a-forge" } }],
    fits: () => true,
    userAgent: "parley-test",
    wire: hasty(),
  }).at({ kind: "url", location: "https://forge.example/acme/shop.git" });
  if (located.kind === "none") throw new Error(located.why);
  return located.project;
};

describe("answers of forges", () => {
  const { signal } = new AbortController();
  it.each([
    ["gitlab-token", "a list", `[${ONES}]`],
    ["gitlab-token", "a list of half as many as are read", `[${"1,".repeat(100_000)}1]`],
    ["gitlab-token", "an object", `{"labels":[${ONES}]}`],
  ] as const)("of %s: %s", async (kind, _, body) => {
    const project = await forge(kind, () => body);
    for (const asked of [
      await project.issue(1, 1, signal),
      await project.pull(1, signal),
      await project.checks("main", signal),
    ]) {
      expect(asked.kind).toBe("trouble");
      expect(JSON.stringify(asked).length).toBeLessThan(SHORT);
    }
  });

  it.each([
    ["github-token", "title"],
    ["gitlab-token", "title"],
  ] as const)(
    "40.A6 of %s: none holds the event loop, and one within the bounds is read",
    async (kind, field) => {
      const people = { author: { username: "ana" }, user: { login: "ana" } };
      const issue = (more: object) =>
        JSON.stringify({
          [field]: "Uploads crash",
          ...people,
          number: 1,
          iid: 1,
          state: "open",
          html_url: "https://forge.example/1",
          web_url: "https://forge.example/1",
          created_at: "2026-01-02T03:04:05Z",
          labels: [],
          comments: 0,
          user_notes_count: 0,
          ...more,
        });
      // The client's library is loaded with the first request, which is none of the answer's work.
      await (await forge(kind, () => "{}")).issue(1, 1, signal);
      const words = { ascii: "x".repeat(4.9 * 2 ** 20), mixed: `ж${"x".repeat(4.9 * 2 ** 20)}` };
      for (const [said, wanted] of [
        [words.ascii, "found"],
        [words.mixed, "found"],
        [`ж${words.ascii}${words.ascii}${words.ascii}`, "trouble"],
        [`${words.ascii}${words.ascii}${words.ascii}`, "trouble"],
      ] as const) {
        const body = Buffer.from(issue(kind === "github-token" ? { body: said } : { description: said }));
        const project = await forge(kind, (path) => (/comments|notes|timeline/.test(path) ? "[]" : body));
        let asked = "";
        const stalls = await stallsWhile(async () => {
          asked = (await project.issue(1, 1, signal)).kind;
        });
        expect([stalls, asked]).toEqual([0, wanted]);
      }
    },
  );

  it("of github-token: what is no issue is told in one sentence, or read as one without words", async () => {
    const project = await forge("github-token", (path) =>
      path.includes("comments") ? `[${ONES}]` : `{"labels":[${ONES}]}`,
    );
    const asked = await project.issue(1, 1, signal);
    expect(asked.kind).toBe("trouble");
    expect(JSON.stringify(asked).length).toBeLessThan(SHORT);
  });
});
