/** Deploy keys: clones, fetches and pushes over ssh that the host runs, with a real client against a real server. */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { DeployKey } from "../../../src/features/forge/api/credentials.ts";
import { createGitProxies } from "../../../src/features/forge/git-proxies.ts";
import { createRemote } from "../../../src/features/forge/api/remote.ts";
import { sshRemote } from "../../../src/features/forge/ssh-remote.ts";
import { createForgeHttp } from "../../../src/features/forge/api/http.ts";
import { filesBelow } from "../../everywhere.ts";
import { hasSsh } from "../../fakes/ssh/has-ssh.ts";
import { type FakeSsh, startSsh } from "../../fakes/ssh/server.ts";
import { scratch } from "../../scratch.ts";
import { commit, createScene, git, type Opened, type Scene, startSandbox } from "../../workspace/scene.ts";
import { told } from "./private.ts";

if (!hasSsh) console.log("skipped: deploy keys: there is no ssh on this machine");

const URL_OF_SHOP = "https://git.example.org/acme/shop.git";
const NAME = "git.example.org/acme/shop";
const { signal } = new AbortController();

interface World extends AsyncDisposable {
  readonly ssh: FakeSsh;
  readonly scene: Scene;
  readonly source: string;
  readonly bare: string;
  readonly head: string;
  readonly key: DeployKey;
  /** As the server knows it. */
  readonly shown: string;
  readonly logged: readonly string[];
  open(id: `c-${string}`): Promise<Opened>;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const world = async (write = false): Promise<World> => {
  const scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const head = await commit(source, { "a.txt": "private\n" });
  const root = scratch("deploy-key");
  mkdirSync(join(root, "acme"));
  const bare = join(root, "acme/shop.git");
  execFileSync("git", ["clone", "-q", "--bare", source, bare]);
  const ssh = await startSsh(root);
  const folder = scratch("deploy-key-files");
  const keyFile = join(folder, "shop_key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", keyFile]);
  const knownHostsFile = join(folder, "known_hosts");
  // As docs/forges.md says.
  const { stdout: scanned } = await execa("ssh-keyscan", ["-p", String(ssh.port), "127.0.0.1"]);
  expect(scanned).toContain(ssh.knownHost);
  writeFileSync(knownHostsFile, `${scanned}\n`, { mode: 0o600 });
  chmodSync(keyFile, 0o600);
  const shown = readFileSync(`${keyFile}.pub`, "utf8").split(" ").slice(0, 2).join(" ");
  ssh.keys.set(shown, { repos: ["acme/shop.git"], write });
  const key: DeployKey = {
    kind: "deploy-key",
    keyFile,
    knownHostsFile,
    user: "git",
    host: "127.0.0.1",
    port: ssh.port,
  };
  const logged: string[] = [];
  const note = (text: string, facts?: unknown): void => void logged.push(`${text} ${JSON.stringify(facts)}`);
  const workspaces = scene.restart({
    log: { info: note, warn: note, error: note },
    doors: createGitProxies({
      credentials: [{ repos: ["git.example.org/acme/*"], api: null, git: null, access: key }],
      fits: () => true,
      userAgent: "parley-test",
    }),
  });
  return {
    ssh,
    scene,
    source,
    bare,
    head,
    key,
    shown,
    logged,
    open: (id) => scene.open(id, URL_OF_SHOP, { kind: "url", workspaces }),
    [Symbol.asyncDispose]: async () => {
      await ssh.close();
      await scene[Symbol.asyncDispose]();
    },
  };
};

describe.skipIf(!hasSsh)("a deploy key", () => {
  it("clones and fetches a private repository, and its words are in no process, file, answer or log", async () => {
    await using made = await world();
    const { scene, source, bare, key } = made;
    const words = readFileSync(key.keyFile, "utf8").split("\n")[1] ?? "";
    expect(words).not.toBe("");
    expect((await made.open("c-1")).outcome).toMatchObject({ kind: "ready", base: { commit: made.head } });
    const next = await commit(source, { "b.txt": "b\n" });
    await git(source, "push", "--quiet", bare, "main");
    scene.clock.advance(60_000);
    const second = await made.open("c-2");
    expect(second.outcome).toMatchObject({ kind: "ready", base: { commit: next } });
    expect(new Set(made.ssh.commands)).toEqual(new Set(["git-upload-pack 'acme/shop.git'"]));
    const inside = await scene.shell(
      "c-2",
      "unrestricted",
      `cat a.txt .git/config; cat ${key.keyFile} 2>/dev/null || echo unread; env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'`,
    );
    expect(inside.text).toContain("private\n");
    expect(inside.text).toContain(URL_OF_SHOP);
    if (sandbox.probe.unrestricted.kind === "held") expect(inside.text).toContain("unread");
    for (const place of [inside.text, filesBelow(scene.data), made.logged.join("\n"), JSON.stringify(second)])
      expect(place).not.toContain(words);
  });

  it("does so from a server that knows only the first version of git's protocol", async () => {
    await using made = await world();
    made.ssh.hearsVersion = false;
    expect((await made.open("c-1")).outcome).toMatchObject({ kind: "ready", base: { commit: made.head } });
    const next = await commit(made.source, { "b.txt": "b\n" });
    await git(made.source, "push", "--quiet", made.bare, "main");
    made.scene.clock.advance(60_000);
    expect((await made.open("c-2")).outcome).toMatchObject({ kind: "ready", base: { commit: next } });
  });

  it("that was taken away, that opens another repository, a host that is not known, one that is away: each is told", async () => {
    await using made = await world();
    const { ssh, key, shown } = made;
    ssh.keys.set(shown, { repos: ["acme/other.git"], write: true });
    expect(told(await made.open("c-1"))).toContain(
      `${NAME} does not exist (any more), or Parley's credential`,
    );
    ssh.keys.clear();
    expect(told(await made.open("c-1"))).toContain(`Parley's credential for ${NAME} was refused`);
    writeFileSync(key.knownHostsFile, ssh.knownHost.replace(/^\S+/, "other.example"));
    expect(told(await made.open("c-1"))).toContain(`The host of ${NAME} could not prove who it is`);
    await ssh.close();
    expect(told(await made.open("c-1"))).toBe(`The host of ${NAME} could not be reached.`);
  });

  it("pushes a branch once where it may write, and is told where it may not", async () => {
    await using made = await world(true);
    const { source, head, bare, key, ssh, shown } = made;
    const address = { host: "git.example.org", owner: "acme", name: "shop" };
    const remote = createRemote(
      address,
      sshRemote(address, key, { userAgent: "parley-test", wire: createForgeHttp() }),
    );
    const next = await commit(source, { "b.txt": "b\n" });
    const input = `${next}\n^${head}\n`;
    const pack = execFileSync("git", ["pack-objects", "--revs", "--stdout", "-q"], { cwd: source, input });
    const push = { branch: "parley/c-1", from: null, to: next, pack };
    expect(await remote.push(push, signal)).toEqual({ kind: "found", value: null });
    expect(await git(bare, "rev-parse", "parley/c-1")).toBe(next);
    const asked = ssh.commands.length;
    expect(await remote.push(push, signal)).toEqual({ kind: "found", value: null });
    expect(ssh.commands).toHaveLength(asked + 1);
    expect(await remote.push({ ...push, to: head }, signal)).toMatchObject({
      why: expect.stringContaining("Somebody else has pushed to parley/c-1"),
    });
    const branches = await remote.branches(signal);
    expect(branches.kind === "found" ? [...branches.value.keys()] : branches).toEqual(["main", "parley/c-1"]);
    ssh.keys.set(shown, { repos: ["acme/shop.git"], write: false });
    expect(await remote.push({ ...push, branch: "parley/c-2" }, signal)).toMatchObject({
      why: expect.stringContaining("it lacks write access, which the forge grants a deploy key apart"),
    });
  });
});
