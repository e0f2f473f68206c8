import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { startForge } from "../forge.ts";
import { commit, createScene, git, noise, type Opened, startSandbox } from "../scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const told = ({ outcome }: Opened): string =>
  outcome.kind === "failed" ? outcome.failure.message : outcome.kind;

/** A forge with `team/project`, a working copy that pushes to it, and its address. */
const setUp = async () => {
  const scene = await createScene(sandbox);
  const forge = await startForge(scene.root);
  const copy = await scene.repository("copy");
  await git(scene.root, "init", "--quiet", "--bare", "--initial-branch", "main", "team/project.git");
  await git(copy, "remote", "add", "origin", join(scene.root, "team/project.git"));
  const url = `https://127.0.0.1:${forge.port}/team/project.git`;
  const workspaces = scene.restart({ certificates: forge.certificates });
  const push = async (...args: readonly string[]): Promise<void> => {
    await git(copy, "push", "--quiet", "--force", "origin", ...args);
  };
  return {
    scene,
    forge,
    copy,
    url,
    workspaces,
    push,
    name: `127.0.0.1:${forge.port}/team/project`,
    [Symbol.asyncDispose]: async () => {
      await forge[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    },
  };
};

test("a repository comes over https, with progress, its address as origin, and nothing twice", async () => {
  await using s = await setUp();
  const head = await commit(s.copy, { "a.txt": "over the wire\n" });
  await s.push("main");
  const opened = await s.scene.open("c-1", s.url, { kind: "url", workspaces: s.workspaces });
  expect(opened.outcome).toMatchObject({ kind: "ready", base: { commit: head, ref: "main" } });
  expect(opened.lines[0]).toBe(`Fetching ${s.name}`);
  expect((await s.scene.shell("c-1", "restricted", "cat a.txt; git remote get-url origin")).text).toBe(
    `over the wire\n${s.url}`,
  );
  const asked = s.forge.requests.length;
  s.scene.clock.advance(60_000);
  expect(told(await s.scene.open("c-2", s.url, { kind: "url", workspaces: s.workspaces }))).toBe("ready");
  expect(s.forge.requests.slice(asked).filter((line) => line.startsWith("GET"))).toHaveLength(1);
});

test("after a force-push only what is new comes over the wire, and what was pushed away is unreadable", async () => {
  await using s = await setUp();
  const kept = await commit(s.copy, { "big.bin": noise(2 ** 20) });
  const secret = await commit(s.copy, { "secret.txt": "s" });
  await s.push("main");
  await s.scene.open("c-1", s.url, { kind: "url", workspaces: s.workspaces });
  await git(s.copy, "reset", "--quiet", "--hard", kept);
  const head = await commit(s.copy, { "b.txt": "b" });
  await s.push("main");
  s.scene.clock.advance(60_000);
  const narrow = s.scene.restart({ certificates: s.forge.certificates, maxFetchBytes: 2 ** 17 });
  const second = await s.scene.open("c-2", s.url, { kind: "url", workspaces: narrow });
  expect(second.outcome).toMatchObject({ kind: "ready", base: { commit: head } });
  expect((await s.scene.shell("c-2", "restricted", `git cat-file -e ${secret}`)).code).not.toBe(0);
  expect((await s.scene.shell("c-2", "restricted", "git fsck && git cat-file -s HEAD:big.bin")).text).toMatch(
    /^\d+$/,
  );
});

test("each refusal of a forge has its sentence", async () => {
  await using s = await setUp();
  const open = async (url = s.url): Promise<string> =>
    told(await s.scene.open("c-1", url, { kind: "url", workspaces: s.workspaces }));
  expect(await open()).toBe(`${s.name} has no commits yet.`);
  expect(await open(s.url.replace("project", "other"))).toBe(
    `${s.name.replace("project", "other")} was not found.`,
  );
  const noAccess = `${s.name} does not exist, or this bot has no access to it.`;
  s.forge.behave(401);
  expect(await open()).toBe(noAccess);
  s.forge.behave(403);
  expect(await open()).toBe(noAccess);
  s.forge.behave(502);
  expect(await open()).toBe(`The host of ${s.name} could not be reached.`);
  s.forge.behave("serve");
  const strict = s.scene.restart({});
  expect(told(await s.scene.open("c-1", s.url, { kind: "url", workspaces: strict }))).toContain(
    `The host of ${s.name} could not prove who it is (certificate or host key). The operator can say`,
  );
  await commit(s.copy, { "a.txt": "a" });
  await s.push("main");
  expect(await open()).toBe("ready");
  await s.forge[Symbol.asyncDispose]();
  s.scene.clock.advance(60_000);
  expect(told(await s.scene.open("c-2", s.url, { kind: "url", workspaces: s.workspaces }))).toBe(
    `The host of ${s.name} could not be reached.`,
  );
});

test("git reaches the host of its repository and no other, wherever a forge sends it", async () => {
  await using s = await setUp();
  let reached = 0;
  const other = createServer(() => reached++).listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  s.forge.behave({ moved: `https://127.0.0.1:${port}/team/project.git/info/refs` });
  const opened = await s.scene.open("c-1", s.url, { kind: "url", workspaces: s.workspaces });
  other.close();
  const proxied = sandbox.probe.egress === "proxy";
  expect(reached > 0).toBe(!proxied);
  if (!proxied) return;
  expect(told(opened)).toBe(
    `The host of ${s.name} is not one that this bot may reach; its operator can open it with PARLEY_EGRESS.`,
  );
});

test("an abort ends git at once and leaves nothing; the next opening begins anew", async () => {
  await using s = await setUp();
  await commit(s.copy, { "a.txt": "a" });
  await s.push("main");
  s.forge.behave("hang");
  const ending = new AbortController();
  const opening = s.scene.open("c-1", s.url, {
    kind: "url",
    workspaces: s.workspaces,
    signal: ending.signal,
  });
  await s.forge.hung();
  const aborted = performance.now();
  ending.abort();
  expect((await opening).outcome).toEqual({ kind: "aborted" });
  console.log(`aborted fetch settled after ${Math.round(performance.now() - aborted)} ms`);
  expect(existsSync(join(s.scene.data, "repos"))).toBe(false);
  expect(existsSync(join(s.scene.data, "threads"))).toBe(false);
  s.forge.behave("serve");
  expect(told(await s.scene.open("c-1", s.url, { kind: "url", workspaces: s.workspaces }))).toBe("ready");
});

test("an abort of a later fetch leaves no part of a pack, and the one after it starts a new generation", async () => {
  await using s = await setUp();
  await commit(s.copy, { "a.txt": "a" });
  await s.push("main");
  await s.scene.open("c-1", s.url, { kind: "url", workspaces: s.workspaces });
  const head = await commit(s.copy, { "b.txt": "b" });
  await s.push("main");
  s.scene.clock.advance(60_000);
  /* Two requests list the refs; what follows fetches. */
  s.forge.behave("hang", 3);
  const ending = new AbortController();
  const more = { kind: "url", workspaces: s.workspaces } as const;
  const opening = s.scene.open("c-2", s.url, { ...more, signal: ending.signal });
  await s.forge.hung();
  ending.abort();
  expect((await opening).outcome).toEqual({ kind: "aborted" });
  const [key] = await readdir(join(s.scene.data, "repos"));
  const mirror = join(s.scene.data, "repos", key ?? "");
  expect(
    (await readdir(join(mirror, "1.git/objects/pack"))).filter((name) => name.startsWith("tmp_")),
  ).toEqual([]);
  expect(await readdir(mirror)).toContain("1.dirty");
  s.forge.behave("serve");
  expect((await s.scene.open("c-2", s.url, more)).outcome).toMatchObject({
    kind: "ready",
    base: { commit: head },
  });
  expect(await readdir(mirror)).toContain("2.git");
});

test("an abort in the middle of receiving or of checking out leaves nothing either", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const files = Array.from(
    { length: 400 },
    (_, i) => [`d${i % 20}/f${i}.txt`, `content ${i}\n`.repeat(50)] as const,
  );
  await commit(source, Object.fromEntries(files));
  for (const at of ["Fetching", "Counting objects", "Updating files"]) {
    const ending = new AbortController();
    const onProgress = (line: string): void => {
      scene.clock.advance(1000);
      if (line.startsWith(at)) ending.abort();
    };
    expect((await scene.open("c-1", source, { signal: ending.signal, onProgress })).outcome).toEqual({
      kind: "aborted",
    });
    expect(await readdir(join(scene.data, "staging")).catch(() => [])).toEqual([]);
    expect(existsSync(join(scene.data, "trees"))).toBe(false);
    expect(existsSync(join(scene.data, "threads"))).toBe(false);
  }
  expect(told(await scene.open("c-1", source))).toBe("ready");
  expect((await scene.shell("c-1", "restricted", "git status --short; git ls-files | wc -l")).text).toBe(
    "400",
  );
});

test("one who aborts does not end the fetch that another waits for", async () => {
  await using s = await setUp();
  await commit(s.copy, { "a.txt": "a" });
  await s.push("main");
  const ending = new AbortController();
  const patient = s.scene.open("c-2", s.url, { kind: "url", workspaces: s.workspaces });
  const hasty = s.scene.open("c-1", s.url, { kind: "url", workspaces: s.workspaces, signal: ending.signal });
  ending.abort();
  expect(told(await hasty)).toBe("aborted");
  expect(told(await patient)).toBe("ready");
});
