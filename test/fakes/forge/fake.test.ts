/** 9, item 6: the fake is GitHub as far as Parley sees it; what it answers is checked against GitHub's own description. */

import { expect, it, onTestFinished } from "vitest";
import { createFakeForge, type FakeForge } from "./fake.ts";
import { operationOf } from "./description.ts";

const TOKEN = "github_pat_0123456789";
const NOON = Date.UTC(2026, 10, 2, 12);

const start = async (now = () => NOON): Promise<FakeForge> => {
  const fake = await createFakeForge(now);
  onTestFinished(() => fake.close());
  fake.world.addRepo("acme/shop", { isPrivate: true });
  fake.world.tokens.set(TOKEN, { repos: ["acme/shop"], permissions: ["issues=read", "issues=write"] });
  return fake;
};

const ask = (fake: FakeForge, path: string, init: RequestInit = {}, token: string | null = TOKEN) =>
  fetch(`${fake.url}${path}`, {
    ...init,
    headers: { "user-agent": "test", ...(token === null ? {} : { authorization: `token ${token}` }) },
  });

const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

it("cuts lists into pages of at most 100 and names the next one", async () => {
  const fake = await start();
  const comments = Array.from({ length: 130 }, () => ({ author: "ana", at: NOON, text: "x" }));
  fake.world.addIssue("acme/shop", { title: "T", comments });
  const first = await ask(fake, "/repos/acme/shop/issues/1/comments?per_page=500");
  expect(await first.json()).toHaveLength(100);
  expect(first.headers.get("link")).toMatch(/page=2>; rel="next"/);
  const second = await ask(fake, "/repos/acme/shop/issues/1/comments?per_page=100&page=2");
  expect(await second.json()).toHaveLength(30);
  expect(second.headers.get("link")).toBeNull();
});

it("has no answer but 404 for what somebody may not see, be it there or not", async () => {
  const fake = await start();
  fake.world.addRepo("acme/hidden", { isPrivate: true });
  fake.world.addIssue("acme/hidden", { title: "T" });
  const answers = await Promise.all(
    ["acme/hidden", "acme/nowhere"].map(async (name) => {
      const answer = await ask(fake, `/repos/${name}/issues/1`);
      return [answer.status, await answer.text()];
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.[0]).toBe(404);
  fake.world.addIssue("acme/shop", { title: "T" });
  expect((await ask(fake, "/repos/acme/shop/issues/1", {}, null)).status).toBe(404);
  expect((await ask(fake, "/repos/acme/shop/issues/1")).status).toBe(200);
});

it("counts an allowance by the hour and refuses what is beyond it", async () => {
  let now = NOON;
  const fake = await start(() => now);
  fake.world.allowance = { token: 2, stranger: 1 };
  fake.world.addIssue("acme/shop", { title: "T" });
  const read = () => ask(fake, "/repos/acme/shop/issues/1");
  expect((await read()).headers.get("x-ratelimit-remaining")).toBe("1");
  await read();
  const refused = await read();
  expect([refused.status, refused.headers.get("x-ratelimit-remaining")]).toEqual([403, "0"]);
  expect(Number(refused.headers.get("x-ratelimit-reset")) * 1_000).toBe(NOON + 3_600_000);
  now += 3_600_000;
  expect((await read()).status).toBe(200);
});

it("does what a lost acknowledgement was for, and refuses what comes too fast", async () => {
  const fake = await start();
  fake.fault({ kind: "lost" }, "issues/create");
  await expect(ask(fake, "/repos/acme/shop/issues", post({ title: "T" }))).rejects.toThrow();
  expect(fake.world.repos.get("acme/shop")?.issues).toHaveLength(1);
  fake.fault({ kind: "secondary", retryAfter: 7 }, "issues/create");
  const fast = await ask(fake, "/repos/acme/shop/issues", post({ title: "T" }));
  expect([fast.status, fast.headers.get("retry-after")]).toEqual([403, "7"]);
  expect(fake.world.repos.get("acme/shop")?.issues).toHaveLength(1);
});

it("sends on what asks for a repository under its old name, by its number, as long as it may be seen", async () => {
  const fake = await start();
  fake.world.addIssue("acme/shop", { title: "T" });
  fake.world.rename("acme/shop", "acme/store");
  expect((await ask(fake, "/repos/acme/shop/issues/1")).status).toBe(404);
  fake.world.tokens.set(TOKEN, { repos: ["acme/store"], permissions: ["issues=read"] });
  const moved = await ask(fake, "/repos/acme/shop/issues/1", { redirect: "manual" });
  expect([moved.status, moved.headers.get("location")]).toEqual([
    301,
    expect.stringMatching(/\/repositories\/\d+\/issues\/1$/),
  ]);
  expect((await ask(fake, "/repos/acme/shop/issues/1")).status).toBe(200);
});

it("notes what GitHub's description does not know, and never sends what it does not describe", async () => {
  const fake = await start();
  expect((await ask(fake, "/repos/acme/shop/issues", post({ body: "no title" }))).status).toBe(422);
  expect((await ask(fake, "/repos/acme/shop/issues?state=any")).status).toBe(422);
  expect((await ask(fake, "/repos/acme/shop/issues?colour=red")).status).toBe(422);
  expect((await ask(fake, "/repos/acme/shop/nonsense")).status).toBe(404);
  expect(fake.violations).toEqual([
    expect.stringMatching(/^issues\/create: /),
    "issues/list-for-repo: state is none of open, closed, all",
    "issues/list-for-repo: there is no parameter colour",
    "no such operation: GET /repos/acme/shop/nonsense",
  ]);
  const issues = operationOf("GET", "/repos/acme/shop/issues/1");
  expect(() => issues?.mustFit(200, { number: 1 })).toThrow(/is not GitHub's/);
});
