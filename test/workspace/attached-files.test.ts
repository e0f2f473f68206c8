/** D54: files of messages lie beside the checkout, readable and never writable, in every permission. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { AttachedFile } from "../../src/thread/prompt.ts";
import { commit, createScene, type Scene, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
let scene: Scene;
/** What messages name, and the bytes of it that the store has. */
let named: AttachedFile[] = [];
const stored = new Map<string, Buffer>();
const LOG = { hash: "h1", name: "0123456789-app.log", size: 6 };
const EMPTY = { hash: "h2", name: "abcdef0123-empty", size: 0 };

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  named = [LOG, EMPTY];
  stored.clear();
  stored.set("h1", Buffer.from("canary"));
  stored.set("h2", Buffer.alloc(0));
  const attached = { of: () => named, get: (hash: string) => Promise.resolve(stored.get(hash) ?? null) };
  scene = await createScene(sandbox, { attached });
  const repo = await scene.repository("repo");
  await commit(repo, { "a.txt": "a\n" });
  await scene.base("c-1", repo);
});
afterEach(() => scene[Symbol.asyncDispose]());

const onDisk = (): readonly string[] => {
  const directory = join(scene.data, "threads/c-1/files");
  return existsSync(directory) ? readdirSync(directory).toSorted() : [];
};

const seen = (): string => (sandbox.probe.mounts ? "/files" : join(scene.data, "threads/c-1/files"));

describe.each(["restricted", "unrestricted", "draft"] as const)("with the rights of %s", (permission) => {
  beforeEach(async () => {
    if (permission !== "draft") return;
    const signal = new AbortController().signal;
    expect(await scene.workspaces.drafts.open("c-1", signal)).toMatchObject({ kind: "open" });
  });

  it("every program reads the files", async () => {
    const script = `cat ${seen()}/${LOG.name} && grep -c canary ${seen()}/*.log && ls -s ${seen()} | wc -l && wc -c < ${seen()}/${EMPTY.name}`;
    expect(await scene.shell("c-1", permission, script)).toEqual({ code: 0, text: "canary1\n3\n0" });
  });

  it("no program changes them, adds one or removes one", async () => {
    await scene.shell("c-1", permission, "true");
    const file = join(scene.data, "threads/c-1/files", LOG.name);
    const before = statSync(file);
    const attempts = [
      "echo x >> F",
      "echo x > F",
      "truncate -s0 F",
      "rm -f F",
      "mv F D/other",
      "cp /etc/passwd F",
      "ln F D/hard",
      "ln -s /etc/passwd D/soft",
      "mkdir D/directory",
      "touch D/new",
      "chmod 666 F",
      "chmod 777 D",
      "touch -d 2001-01-01 F",
      "mv D D2",
      "rm -rf D",
      "ln F hard && echo x >> hard",
      "dd if=/dev/zero of=F bs=1 count=1 conv=notrunc",
    ].map((one) => one.replaceAll("F", `${seen()}/${LOG.name}`).replaceAll("D", seen()));
    const script = attempts.map((one) => `( ${one} ) 2>/dev/null && echo 'done: ${one}'`).join("\n");
    const ran = await scene.shell("c-1", permission, `${script}\ntrue`);
    expect(ran.text).toBe("");
    expect(onDisk()).toEqual([LOG.name, EMPTY.name].toSorted());
    expect(readFileSync(file, "utf8")).toBe("canary");
    const after = statSync(file);
    expect([after.mode, after.mtimeMs, after.ino, after.nlink]).toEqual([
      before.mode,
      before.mtimeMs,
      before.ino,
      1,
    ]);
  });
});

it("a command that copies one into the checkout changes the copy", async () => {
  const script = `cp ${seen()}/${LOG.name} copy && chmod u+w copy && echo more >> copy && cat copy && git status --short`;
  expect((await scene.shell("c-1", "unrestricted", script)).text).toBe("canarymore\n?? copy");
});

it("the checkout and what a draft proposes do not contain them", async () => {
  const { text } = await scene.shell(
    "c-1",
    "unrestricted",
    "git status --short --ignored; find . -name '*app.log*'",
  );
  expect(text).toBe("");
});

it("one that no message names any more is gone at once, also while a command reads it", async () => {
  await scene.shell("c-1", "restricted", "true");
  named = [EMPTY];
  const reading = scene.shell("c-1", "restricted", `cat ${seen()}/${LOG.name}`);
  await scene.workspaces.erase("c-1", (text) => text);
  const ran = await reading;
  expect(onDisk()).toEqual([EMPTY.name]);
  expect(ran.code === 0 ? "canary" : ran.text).toMatch(/^canary$|No such file/);
  const after = await scene.shell("c-1", "restricted", `cat ${seen()}/${LOG.name}`);
  expect(after).toMatchObject({ code: 1 });
  expect(after.text).toContain("No such file or directory");
});

it("without any, commands see no directory for them", async () => {
  named = [];
  const ran = await scene.shell("c-1", "restricted", `ls ${seen()}`);
  expect(ran.code).not.toBe(0);
  expect(onDisk()).toEqual([]);
});

it("a start of the host and a move to another one remove the copies, and the next command brings them", async () => {
  await scene.shell("c-1", "restricted", "true");
  const again = scene.restart({
    attached: { of: () => named, get: async (hash) => stored.get(hash) ?? null },
  });
  expect(await again.mirrors.removeUnused()).toBe(0);
  expect(onDisk()).toEqual([]);
  expect((await scene.shell("c-1", "restricted", `cat ${seen()}/${LOG.name}`, again)).text).toBe("canary");
  again.given("c-1");
  await expect.poll(onDisk).toEqual([]);
});

it("a parked checkout has no copies, and gets them with its next command", async () => {
  await scene.shell("c-1", "unrestricted", "echo more >> a.txt");
  expect(onDisk()).toHaveLength(2);
  scene.clock.advance(10);
  const { signal } = new AbortController();
  expect(await scene.workspaces.park("c-1", scene.clock.now(), signal)).toEqual({ kind: "parked" });
  expect(onDisk()).toEqual([]);
  const ran = await scene.shell("c-1", "unrestricted", `cat ${seen()}/${LOG.name} a.txt`);
  expect(ran.text).toBe("canarya\nmore");
});

it("bytes that the host cannot read are missed in words, and the other files are there", async () => {
  stored.delete("h2");
  const place = await scene.workspaces.policy("c-1", "restricted");
  expect(place).toMatchObject({
    hint: "[1 attached file is missing: this host could not read the stored bytes]",
  });
  expect(onDisk()).toEqual([LOG.name]);
});

it("a removed conversation leaves none", async () => {
  await scene.shell("c-1", "restricted", "true");
  await scene.workspaces.discard("c-1");
  expect(onDisk()).toEqual([]);
});
