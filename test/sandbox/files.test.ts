/** get and put: what the host reads and writes for a conversation, with a command's reach and no more. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeTiers, textOf } from "./tiers.ts";
import { ENV, type World } from "./world.ts";

const onHost = (world: World, ...names: readonly string[]): string => join(world.folder, "work", ...names);

/** Writes as the owner of the checkout would. */
const plant = (world: World, name: string, content: string, mode = 0o644): void => {
  writeFileSync(onHost(world, name), content);
  const { uid, gid } = statSync(join(world.folder, "work"));
  chownSync(onHost(world, name), uid, gid);
  chmodSync(onHost(world, name), mode);
};

describeTiers(["T0", "T1", "T2"], (world) => {
  it("get: a regular file by relative or absolute path, with its mode; a private one too", async ({
    skip,
  }) => {
    if (world().name === "root without namespaces") skip("a 0600 file needs an id-mapped mount here");
    plant(world(), "private.txt", "mine\n", 0o600);
    const { sandbox, work } = world();
    const expected = { kind: "file", bytes: Buffer.from("mine\n"), mode: 0o600 };
    expect(await sandbox.get(world().policy("restricted"), "private.txt", 100)).toEqual(expected);
    expect(await sandbox.get(world().policy("restricted"), `${work}/./private.txt`, 5)).toEqual(expected);
  });

  it("get: five megabytes arrive whole while other commands run", async () => {
    plant(world(), "big.bin", "0123456789abcdef".repeat(327_680));
    const [got, other] = await Promise.all([
      world().sandbox.get(world().policy("restricted"), "big.bin", 6_000_000),
      world().run("restricted", ["/usr/bin/md5sum", "big.bin"]),
    ]);
    expect(got).toMatchObject({ kind: "file" });
    expect(got.kind === "file" && got.bytes.equals(readFileSync(onHost(world(), "big.bin")))).toBe(true);
    expect(textOf(other)).toMatch(/big\.bin/);
  });

  it("get: names what is wrong with everything that is not a readable regular file of the mount", async () => {
    const at = world();
    writeFileSync(join(at.folder, "secret"), "secret\n");
    plant(at, "sparse.bin", "");
    truncateSync(onHost(at, "sparse.bin"), 2 ** 40);
    execFileSync("mkfifo", [onHost(at, "fifo")]);
    mkdirSync(onHost(at, "folder"), { recursive: true });
    const links = {
      out: "../secret",
      away: `${at.folder}/secret`,
      device: "/dev/zero",
      self: "self",
      magic: "/proc/self/root/etc/passwd",
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, onHost(at, name));
    const codeOf = async (path: string): Promise<string> => {
      const result = await at.sandbox.get(at.policy("restricted"), path, 1000);
      return result.kind === "file" ? result.bytes.toString() : result.code;
    };
    const paths = [
      "missing",
      "missing/deeper",
      "folder",
      "fifo",
      "sparse.bin",
      ...Object.keys(links),
      "../secret",
      "/etc/passwd",
      "note.txt/x",
      "",
      ".",
    ];
    const codes = Object.fromEntries(
      await Promise.all(paths.map(async (path) => [path, await codeOf(path)] as const)),
    );
    expect(codes).toEqual({
      missing: "not_found",
      "missing/deeper": "not_found",
      folder: "not_a_file",
      fifo: "not_a_file",
      "sparse.bin": "too_large",
      out: "outside",
      away: "outside",
      device: "outside",
      self: "outside",
      magic: "outside",
      "../secret": "outside",
      "/etc/passwd": "outside",
      "note.txt/x": "not_a_file",
      "": "outside",
      ".": "outside",
    });
  });

  it("get: a link that stays inside is followed", async () => {
    symlinkSync("note.txt", onHost(world(), "inside"));
    expect(await world().sandbox.get(world().policy("restricted"), "inside", 100)).toMatchObject({
      bytes: Buffer.from("first line\n"),
    });
  });

  it("put: new files with their folders, and content of a megabyte, owned by the mount's owner", async ({
    skip,
  }) => {
    if (world().name === "root without namespaces") skip("no id-mapped mounts without mount namespaces");
    const bytes = Buffer.alloc(1_000_000, "content ");
    expect(await world().sandbox.put(world().policy("unrestricted"), "a/b/new.bin", bytes)).toEqual({
      kind: "done",
    });
    expect(readFileSync(onHost(world(), "a", "b", "new.bin")).equals(bytes)).toBe(true);
    const { uid, mode } = statSync(onHost(world(), "a", "b", "new.bin"));
    expect([uid, mode & 0o777]).toEqual([statSync(join(world().folder, "work")).uid, 0o644]);
    expect(await world().sandbox.put(world().policy("unrestricted"), "empty", Buffer.alloc(0))).toEqual({
      kind: "done",
    });
    expect(readFileSync(onHost(world(), "empty")).length).toBe(0);
  });

  it("put: replaces a file at once, keeps its mode, follows a link that stays inside, leaves no temporary name", async ({
    skip,
  }) => {
    if (world().name === "root without namespaces") skip("no id-mapped mounts without mount namespaces");
    plant(world(), "script.sh", "old\n", 0o755);
    symlinkSync("script.sh", onHost(world(), "by-link"));
    const { sandbox } = world();
    expect(await sandbox.put(world().policy("unrestricted"), "by-link", Buffer.from("new\n"))).toEqual({
      kind: "done",
    });
    expect(readFileSync(onHost(world(), "script.sh"), "utf8")).toBe("new\n");
    expect(statSync(onHost(world(), "script.sh")).mode & 0o777).toBe(0o755);
    expect(lstatSync(onHost(world(), "by-link")).isSymbolicLink()).toBe(true);
    expect(readdirSync(onHost(world())).filter((name) => name.includes(".parley-"))).toEqual([]);
  });

  it("put: never outside the mount, never over what is no file, never in Restricted", async ({ skip }) => {
    if (world().name === "root without namespaces") skip("no id-mapped mounts without mount namespaces");
    const at = world();
    const canary = join(at.folder, "canary");
    writeFileSync(canary, "canary\n");
    symlinkSync("../canary", onHost(at, "leak"));
    symlinkSync("..", onHost(at, "up"));
    symlinkSync(canary, onHost(at, "far"));
    mkdirSync(onHost(at, "directory"), { recursive: true });
    const put = async (
      path: string,
      profile: "restricted" | "unrestricted" = "unrestricted",
    ): Promise<string> => {
      const result = await at.sandbox.put(at.policy(profile), path, Buffer.from("changed\n"));
      return result.kind === "done" ? "done" : result.code;
    };
    expect(
      await Promise.all(
        ["leak", "up/canary", "far", "up/made", "directory", "note.txt/x", "../made", "/etc/made"].map(
          (path) => put(path),
        ),
      ),
    ).toEqual(["outside", "outside", "outside", "outside", "not_a_file", "not_a_file", "outside", "outside"]);
    expect(await put("note.txt", "restricted")).toBe("denied");
    expect(readFileSync(canary, "utf8")).toBe("canary\n");
    expect(readFileSync(onHost(at, "note.txt"), "utf8")).toBe("first line\n");
  });

  it("start: runs on in the background, its output and its ending stand in the file", async ({ skip }) => {
    if (world().name === "root without namespaces") skip("no id-mapped mounts without mount namespaces");
    const start = (script: string, timeoutMs = 120_000) =>
      world().sandbox.start({
        policy: world().policy("unrestricted"),
        argv: ["/bin/bash", "-c", script],
        env: ENV,
        timeoutMs,
        keep: { head: 0, tail: 0 },
        outputFile: `${world().work}/job.log`,
      });
    const endings: readonly (readonly [string, number, string, string])[] = [
      ["echo fine; echo also >&2", 10_000, "exited", "fine\nalso\n\n[background process completed]\n"],
      ["echo bad; exit 3", 10_000, "exited", "bad\n\n[background process failed: exit code 3]\n"],
      ["kill -KILL $$", 10_000, "signalled", "\n[background process failed: signal 9]\n"],
      ["echo slow; sleep 60", 200, "timedOut", "slow\n\n[background process failed: timed out]\n"],
    ];
    for (const [script, timeoutMs, kind, content] of endings) {
      const handle = await start(script, timeoutMs);
      if ("kind" in handle) throw new Error(handle.reason);
      expect((await handle.done).kind).toBe(kind);
      expect(readFileSync(onHost(world(), "job.log"), "utf8")).toBe(content);
    }
    const handle = await start("echo up; sleep 60");
    if ("kind" in handle) throw new Error(handle.reason);
    // Other commands of the conversation see the file while the job runs.
    const seen = await world().run("unrestricted", [
      "/bin/bash",
      "-c",
      "until grep -q up job.log; do sleep 0.02; done; cat job.log",
    ]);
    expect(textOf(seen)).toBe("up\n");
    handle.stop();
    expect((await handle.done).kind).toBe("killed");
    expect(readFileSync(onHost(world(), "job.log"), "utf8")).toBe(
      "up\n\n[background process failed: stopped]\n",
    );
  });

  it("start: no handle for what could not be started, and no output through a link", async ({ skip }) => {
    if (world().name === "root without namespaces") skip("no id-mapped mounts without mount namespaces");
    const canary = join(world().folder, "canary");
    writeFileSync(canary, "canary\n");
    symlinkSync("../canary", onHost(world(), "log-link"));
    const base = {
      policy: world().policy("unrestricted"),
      env: ENV,
      timeoutMs: 1000,
      keep: { head: 0, tail: 0 },
    };
    const failed = await Promise.all([
      world().sandbox.start({ ...base, argv: ["/no/program"], outputFile: "x.log" }),
      world().sandbox.start({ ...base, argv: ["/bin/true"], outputFile: "log-link" }),
      world().sandbox.start({ ...base, argv: ["/bin/true"], outputFile: "/etc/x.log" }),
      world().sandbox.start({
        ...base,
        policy: world().policy("restricted"),
        argv: ["/bin/true"],
        outputFile: "y.log",
      }),
    ]);
    expect(failed.map((each) => ("kind" in each ? each.kind : "running"))).toEqual([
      "failed",
      "failed",
      "failed",
      "failed",
    ]);
    expect(readFileSync(canary, "utf8")).toBe("canary\n");
  });
});
