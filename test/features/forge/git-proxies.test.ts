/** Private repositories are cloned and fetched with the host's credential, which git and the sandbox never see. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { createGitProxies } from "../../../src/features/forge/git-proxies.ts";
import type { GitProxy } from "../../../src/ports/forge.ts";
import { everyProcess, filesBelow } from "../../everywhere.ts";
import { commit, git, startSandbox } from "../../workspace/scene.ts";
import type { Story } from "./door-child.ts";
import { CANARY, privateRepo, told, URL_OF_SHOP } from "./private.ts";
import { forge, TOKEN } from "./world.ts";

const run = promisify(execFile);
const compiler = ["/usr/bin/musl-gcc", "/usr/bin/cc"].find((path) => existsSync(path));
const noHelper = compiler === undefined ? "no C compiler for the test's helper" : null;
if (noHelper !== null) console.log(`skipped: a door without namespaces: ${noHelper}`);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** The canary, and how a header would carry it. */
const TRACES = [CANARY, Buffer.from(`x-access-token:${CANARY}`).toString("base64")];

describe("a private repository", () => {
  it("is cloned and fetched anew with a token, and has its own address as origin", async () => {
    await using repo = await privateRepo(sandbox);
    const { open, scene, copy, head } = repo;
    expect((await open("c-1")).outcome).toMatchObject({ kind: "ready", base: { commit: head, ref: "main" } });
    const seen = await scene.shell("c-1", "restricted", "cat secret-plan.txt; git remote get-url origin");
    expect(seen.text).toBe(`private\n${URL_OF_SHOP}`);
    const next = await commit(copy, { "b.txt": "more\n" });
    await git(copy, "push", "--quiet", "origin", "main");
    scene.clock.advance(60_000);
    expect((await open("c-2")).outcome).toMatchObject({ kind: "ready", base: { commit: next } });
  });

  it("is cloned over https with the token where its address is one for ssh", async () => {
    await using repo = await privateRepo(sandbox);
    const { open, head } = repo;
    expect((await open("c-1", "git@github.com:acme/shop.git")).outcome).toMatchObject({
      kind: "ready",
      base: { commit: head },
    });
  });

  it("is cloned by an app with a token of its installation", async () => {
    await using repo = await privateRepo(sandbox, ({ app }) => ({
      kind: "github-app",
      appId: app.id,
      privateKey: app.privateKey,
    }));
    const { open, forge } = repo;
    expect(told(await open("c-1"))).toBe("ready");
    expect(forge.calls.map(({ operation }) => operation)).toContain("apps/create-installation-access-token");
  });
});

describe("where commands share the host's network", () => {
  it.skipIf(noHelper !== null)("the same door opens to the fetch", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-door-"));
    await chmod(folder, 0o755);
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const deny = join(folder, "deny");
    await run(compiler ?? "cc", [
      "-O2",
      "-static",
      join(import.meta.dirname, "../../sandbox/deny.c"),
      "-o",
      deny,
    ]);
    const child = join(import.meta.dirname, "door-child.ts");
    const env = { PATH: process.env["PATH"], TMPDIR: folder, HOME: folder };
    const { stdout } = await run(deny, ["namespaces", process.execPath, child], { env, cwd: folder });
    const story: Story = { egress: "shared", told: "ready", text: "private" };
    expect(JSON.parse(stdout)).toEqual(story);
  });
});

describe("what stands in the way is told", () => {
  it("a token that was revoked, as one that the operator can renew", async () => {
    await using repo = await privateRepo(sandbox);
    const { open, forge } = repo;
    forge.world.tokens.clear();
    expect(told(await open("c-1"))).toBe(
      "Parley's credential for github.com/acme/shop was refused: it has expired, was revoked or may not read code. The operator can renew it in the file that PARLEY_FORGES names.",
    );
  });

  it("a repository that was deleted, or that the credential was not given", async () => {
    await using repo = await privateRepo(sandbox);
    const { open } = repo;
    expect(told(await open("c-1", "https://github.com/acme/gone.git"))).toBe(
      "github.com/acme/gone does not exist (any more), or Parley's credential does not open it: the operator can check the entry in the file that PARLEY_FORGES names.",
    );
  });

  it("a repository that was renamed, with its new name; the credential is not sent after it", async () => {
    await using repo = await privateRepo(sandbox);
    const { open, forge } = repo;
    forge.world.renamed.set("acme/shop", "acme/store");
    expect(told(await open("c-1"))).toBe(
      "github.com/acme/shop has moved to acme/store: bind the channel to it under its new name.",
    );
    expect(forge.calls.filter(({ exchange }) => exchange.path.includes("store"))).toEqual([]);
  });

  it("an app's key that is none, and a forge that is away", async () => {
    await using broken = await privateRepo(sandbox, () => ({
      kind: "github-app",
      appId: 1,
      privateKey: "-----BEGIN PRIVATE KEY-----",
    }));
    expect(told(await broken.open("c-1"))).toContain(
      "Parley's credential for github.com/acme/shop was refused",
    );
    await using away = await privateRepo(sandbox);
    away.forge.fault({ kind: "status", status: 502 }, "git/list");
    expect(told(await away.open("c-1"))).toBe("The host of github.com/acme/shop could not be reached.");
  });
});

describe("the secret", () => {
  it("is in no argument and no environment of any process while git fetches, and in nothing afterwards", async () => {
    await using repo = await privateRepo(sandbox);
    const { open, forge, scene, logged } = repo;
    const listing = forge.gate("listing");
    const fetching = forge.gate("fetching");
    listing.open();
    forge.fault({ kind: "wait", gate: "listing" }, "git/fetch");
    forge.fault({ kind: "wait", gate: "fetching" }, "git/fetch");
    const opening = open("c-1");
    await fetching.reached;
    const processes = everyProcess();
    expect(processes).toMatch(/git clone .*http:\/\/127\.0\.0\.1:\d+\/repository\.git/);
    for (const trace of TRACES) expect(processes).not.toContain(trace);
    fetching.open();
    const opened = await opening;
    expect(told(opened)).toBe("ready");
    const script = "cat .git/config; git config --list; env; cat /proc/*/environ /proc/*/cmdline";
    const inside = await scene.shell("c-1", "unrestricted", `(${script}) 2>/dev/null | tr '\\0' '\\n'`);
    expect(inside.text).toContain("remote.origin.url");
    const kept = filesBelow(scene.data);
    expect(kept).toContain(URL_OF_SHOP);
    for (const trace of TRACES) {
      for (const place of [inside.text, kept, opened.lines.join("\n"), logged.join("\n")])
        expect(place).not.toContain(trace);
    }
  });

  it("is in no answer, log or file when a clone or a later fetch fails", async () => {
    await using repo = await privateRepo(sandbox);
    const { open, forge, scene, logged } = repo;
    expect(told(await open("c-0"))).toBe("ready");
    scene.clock.advance(60_000);
    forge.fault({ kind: "cut" }, "git/fetch");
    const cut = await open("c-1");
    expect(told(cut)).toBe("The host of github.com/acme/shop could not be reached.");
    forge.world.tokens.clear();
    const refused = await open("c-1");
    expect(logged.join("\n")).toContain("checkout: checkout not opened");
    for (const trace of TRACES) {
      const said = JSON.stringify([cut, refused, logged]);
      for (const place of [said, filesBelow(scene.data), everyProcess()]) expect(place).not.toContain(trace);
    }
  });
});

describe("a door", () => {
  const LIST = "/repository.git/info/refs?service=git-upload-pack";

  it("opens to nobody without the word", async () => {
    const door = await made();
    expect(await knock(door, LIST, {})).toBe(404);
    expect(await knock(door, LIST, { "x-parley-door": "0".repeat(64) })).toBe(404);
    await door.close();
  });

  it.each([
    ["a push", "GET", "/repository.git/info/refs?service=git-receive-pack"],
    ["a push's pack", "POST", "/repository.git/git-receive-pack"],
    ["another repository", "GET", "/../secrets.git/info/refs?service=git-upload-pack"],
    ["the forge's API", "GET", "/repos/acme/shop"],
    ["a file of the repository", "GET", "/repository.git/HEAD"],
    ["another verb", "DELETE", "/repository.git/git-upload-pack"],
  ])("leads to no more than reading the one repository: not to %s", async (_, method, path) => {
    const door = await made();
    const [, word = ""] =
      Object.values(door.config)
        .find((value) => value.startsWith("x-parley-door"))
        ?.split(": ") ?? [];
    expect(await knock(door, path, { "x-parley-door": word }, method)).toBe(404);
    expect(await knock(door, LIST, { "x-parley-door": word })).toBe(403);
    expect(door.refusal()).toEqual({ kind: "notGiven" });
    await door.close();
  });

  it("is made for no repository without a credential", async () => {
    const doors = createGitProxies({ credentials: [], fits: () => false, userAgent: "parley-test" });
    expect(await doors.open({ kind: "url", location: URL_OF_SHOP })).toBeNull();
    expect(await doors.open({ kind: "path", location: "/srv/shop" })).toBeNull();
  });
});

const made = async (): Promise<GitProxy> => {
  const fake = await forge();
  fake.world.tokens.set(TOKEN, { repos: ["acme/shop"], permissions: ["contents=write"] });
  const door = await createGitProxies({
    credentials: [
      { repos: ["acme/*"], api: fake.url, git: fake.url, access: { kind: "github-token", token: TOKEN } },
    ],
    fits: () => true,
    userAgent: "parley-test",
  }).open({ kind: "url", location: URL_OF_SHOP });
  if (door === null) throw new Error("there is no door");
  return door;
};

const knock = (
  { port }: GitProxy,
  path: string,
  headers: Readonly<Record<string, string>>,
  method = "GET",
): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject);
    asked.end();
  });
