/** hazard K5, 49 and 50, and the bad input of the sandbox: where the confinement cannot be whole, nothing runs. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFrameReader, decodeReply, encodeLaunch } from "../../sandbox/protocol.ts";
import type { SandboxPolicy } from "../../sandbox/types.ts";
import { fingerprint } from "./arena/traces.ts";
import { type Arena, CANARY, describeArena, said } from "./arena/arena.ts";

/** Runs `touch ran` in the checkout under a policy that should not hold; the answer, and whether it ran. */
const attempt = async (
  { world, work, policy }: Arena,
  more: Partial<SandboxPolicy>,
): Promise<{ readonly kind: string; readonly reason: string; readonly ran: boolean }> => {
  const result = await world.run("unrestricted", ["/bin/bash", "-c", "echo x > ran"], {
    policy: policy("unrestricted", more),
  });
  const ran = existsSync(join(work, "ran"));
  rmSync(join(work, "ran"), { force: true });
  return { kind: result.kind, reason: result.kind === "failed" ? result.reason : "", ran };
};

describeArena((arena) => {
  it("49 a policy with a mistake in it runs nothing and says which", async () => {
    const { work, host, seenWork } = arena();
    const mount = { source: work, target: "/work", write: true };
    const link = join(host, "link");
    rmSync(link, { force: true });
    symlinkSync(host, link);
    const wrong: readonly (readonly [string, Partial<SandboxPolicy>])[] = [
      [
        "a mount that is missing",
        { mounts: [mount, { source: join(host, "none"), target: "/none", write: false }] },
      ],
      ["a mount of /proc", { mounts: [mount, { source: work, target: "/proc/x", write: false }] }],
      ["a mount of /dev", { mounts: [mount, { source: work, target: "/dev", write: false }] }],
      ["a target with dots", { mounts: [mount, { source: work, target: "/a/../etc", write: false }] }],
      [
        "a source with dots",
        { mounts: [mount, { source: `${work}/../../other`, target: "/x", write: false }] },
      ],
      ["a relative source", { mounts: [mount, { source: "etc", target: "/x", write: false }] }],
      ["an empty target", { mounts: [mount, { source: work, target: "", write: false }] }],
      ["the root as a source", { mounts: [mount, { source: "/", target: "/x", write: false }] }],
      [
        "too many mounts",
        { mounts: Array.from({ length: 33 }, (_, i) => ({ source: work, target: `/m${i}`, write: false })) },
      ],
      ["an identity out of range", { identity: 10_000 }],
      ["a negative identity", { identity: -1 }],
      ["half an identity", { identity: 0.5 }],
      ["a relative cwd", { cwd: "work" }],
      ["a cwd that is missing", { cwd: `${seenWork}/none` }],
      ["a cwd that is a file", { cwd: `${seenWork}/file` }],
    ];
    writeFileSync(join(work, "file"), "");
    for (const [name, more] of wrong) {
      expect([name, await attempt(arena(), more)]).toEqual([
        name,
        { kind: "failed", reason: expect.stringMatching(/.../), ran: false },
      ]);
    }
    expect(await attempt(arena(), {})).toEqual({ kind: "exited", reason: "", ran: true });
  });

  it("49 a mount comes to lie on no link of the checkout, and makes nothing in a directory of the host", async ({
    skip,
  }) => {
    const { world, work, home, host } = arena();
    if (!world.sandbox.probe.mounts) return skip("without mounts targets mean nothing");
    const before = fingerprint(host);
    for (const [name, target] of [
      ["up", "../../.."],
      ["far", "/etc"],
      ["root", "/"],
    ] as const)
      symlinkSync(target, join(work, name));
    const first = { source: work, target: "/work", write: true };
    for (const target of [
      "/work/up",
      "/work/up/x",
      "/work/far/x",
      "/work/root/tmp/x",
      "/usr/parley-none",
      "/etc/parley-none",
    ])
      expect([
        target,
        await attempt(arena(), { mounts: [first, { source: home, target, write: true }] }),
      ]).toEqual([target, { kind: "failed", reason: expect.stringMatching(/mount point/), ran: false }]);
    expect([existsSync("/usr/parley-none"), existsSync("/etc/parley-none")]).toEqual([false, false]);
    for (const name of ["up", "far", "root"]) unlinkSync(join(work, name));
    expect(Object.keys(fingerprint(host))).toEqual(Object.keys(before));
  });

  it("49 a cwd outside every mount gives no right there", async () => {
    const { host, world, policy, seenHome } = arena();
    for (const cwd of [host, join(host, "data"), "/", "/root", "/etc", seenHome]) {
      const result = await world.run(
        "restricted",
        ["/bin/bash", "-c", "cat .env console-token parley.sqlite; ls -a; echo x > made"],
        {
          policy: policy("restricted", { cwd }),
        },
      );
      expect(said(result)).not.toContain(CANARY);
      expect(said(result)).not.toMatch(/^(console-token|threads)$/m);
    }
    expect(readdirSync(join(host, "data")).toSorted()).toEqual(["console-token", "parley.sqlite", "threads"]);
  });

  it("49 a source that is a link, or is swapped for one while commands start, never shows what it points at", async ({
    skip,
  }) => {
    const { world, work, host, policy } = arena();
    if (!world.sandbox.probe.mounts)
      return skip("without mounts a source may be a link: the workspace makes it so");
    const real = join(host, "data/threads/mine/swapped");
    const away = `${real}.away`;
    mkdirSync(real);
    writeFileSync(join(real, "inside"), "inside\n");
    const owner = statSync(work);
    chownSync(real, owner.uid, owner.gid);
    const over = new AbortController();
    const swapping = (async () => {
      while (!over.signal.aborted) {
        renameSync(real, away);
        symlinkSync(host, real);
        await new Promise((resolve) => setImmediate(resolve));
        unlinkSync(real);
        renameSync(away, real);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const results = [];
    for (let round = 0; round < 10; round++) {
      results.push(
        ...(await Promise.all(
          Array.from({ length: 10 }, () =>
            world.run("restricted", ["/bin/bash", "-c", "cat /s/inside /s/.env; ls -a /s"], {
              policy: policy("restricted", {
                mounts: [{ source: real, target: "/s", write: false }],
                cwd: "/",
              }),
            }),
          ),
        )),
      );
    }
    over.abort();
    await swapping;
    for (const result of results) {
      expect(said(result)).not.toContain(CANARY);
      if (result.kind === "failed") expect(result.reason).toMatch(/mount|link/);
      else expect(said(result)).toMatch(/^inside\n/);
    }
    rmSync(real, { recursive: true });
  });

  it("49 get and put keep to the checkout while a command swaps a folder for a link out of it", async () => {
    const { world, host, policy, seenWork } = arena();
    const outside = join(host, "data");
    const before = readdirSync(outside).toSorted();
    const abort = new AbortController();
    const racing = world.sandbox.run(
      {
        policy: policy("unrestricted"),
        argv: [
          "/bin/bash",
          "-c",
          `mkdir -p d real; echo inside > d/console-token; cp d/console-token real; while :; do mv d real2; ln -s ${outside} d; rm d; ln -s ../../.. d; rm d; mv real2 d; done 2>/dev/null`,
        ],
        env: { PATH: "/usr/bin:/bin" },
        timeoutMs: 120_000,
        keep: { head: 0, tail: 0 },
      },
      { signal: abort.signal },
    );
    const read = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const [got] = await Promise.all([
        world.sandbox.get(policy("restricted"), `${seenWork}/d/console-token`, 1000),
        world.sandbox.put(policy("unrestricted"), `${seenWork}/d/put-${round % 3}`, Buffer.from("x")),
        world.sandbox.put(policy("unrestricted"), `${seenWork}/d/deeper/put`, Buffer.from("x")),
      ]);
      read.add(got.kind === "file" ? got.bytes.toString() : got.code);
    }
    abort.abort();
    await racing;
    expect([...read].filter((text) => text.includes(CANARY))).toEqual([]);
    expect(readdirSync(outside).toSorted()).toEqual(before);
  });

  it("49 bytes that are no request, cut, stretched or of another version, run nothing", async () => {
    const { work, policy } = arena();
    const whole = requestIn(policy("unrestricted"));
    const changed = (at: number, value: number): Buffer => {
      const copy = Buffer.from(whole);
      copy.writeUInt8(value, at);
      return copy;
    };
    const cut = (length: number): Buffer => {
      const copy = Buffer.from(whole.subarray(0, length));
      copy.writeUInt32LE(length - 4);
      return copy;
    };
    const stretched = Buffer.concat([whole, Buffer.from([0, 0, 0, 9])]);
    stretched.writeUInt32LE(stretched.length - 4);
    const bad = [
      ...Array.from({ length: 40 }, (_, i) => cut(9 + Math.floor(((whole.length - 10) * i) / 40))),
      stretched,
      ...[0, 7, 9, 100, 200, 255].map((verb) => changed(4, verb)),
      ...[5, 6, 100, 255].map((profile) => changed(9, profile)),
      changed(15, 0xff), // an identity far out of range
    ];
    for (const bytes of bad) {
      const replies = await answers(arena(), bytes);
      expect(replies.filter((reply) => reply !== "done failed")).toEqual([]);
      expect(existsSync(join(work, "ran"))).toBe(false);
    }
    // Longer than any frame: the server ends rather than guess.
    const long = Buffer.from(whole);
    long.writeUInt32LE(0x7fff_ffff);
    expect(await answers(arena(), long)).toEqual([]);
    expect(existsSync(join(work, "ran"))).toBe(false);
    expect(await answers(arena(), whole)).toEqual(["done exited"]);
    expect(existsSync(join(work, "ran"))).toBe(true);
    rmSync(join(work, "ran"));
  });

  it("49 with descriptors closed a server works whole or runs nothing", async () => {
    const { work, policy } = arena();
    const request = requestIn(policy("unrestricted"));
    for (const closed of ["0<&-", "1>&-", "0<&- 1>&- 2>&-"]) {
      expect([closed, await answers(arena(), request, closed)]).toEqual([closed, []]);
      expect(existsSync(join(work, "ran"))).toBe(false);
    }
    // The twin: the third is not needed, and its place is not taken by anything of the host.
    expect(await answers(arena(), request, "2>&-")).toEqual(["done exited"]);
    expect(existsSync(join(work, "ran"))).toBe(true);
    rmSync(join(work, "ran"));
  });

  it("49 a directory of the data that commands cannot reach is a reason, or no obstacle, never half a run", async () => {
    const { world, host, work } = arena();
    chmodSync(host, 0o700);
    try {
      const result = await attempt(arena(), {});
      if (world.name === "root without namespaces") {
        expect(result).toEqual({
          kind: "failed",
          reason: expect.stringMatching(/denied|not writable/i),
          ran: false,
        });
      } else expect(result).toEqual({ kind: "exited", reason: "", ran: true });
    } finally {
      if (world.name === "root without namespaces") chmodSync(host, 0o711);
    }
    expect(existsSync(work)).toBe(true);
  });
});

/** A request that leaves a trace in the checkout when it is obeyed. */
const requestIn = (policy: SandboxPolicy): Buffer => {
  const request = encodeLaunch(1, {
    verb: "run",
    policy,
    stdin: false,
    live: false,
    timeoutMs: 5000,
    keep: { head: 100, tail: 100 },
    bytes: 0,
    argv: ["/bin/bash", "-c", "echo x > ran"],
    env: ["PATH=/usr/bin:/bin"],
    pathMount: 0,
    path: "",
  });
  if (request === null) throw new Error("the request does not encode");
  return request;
};

/** What a server of its own answers to raw bytes until it ends. */
const answers = async (
  { world, options }: Arena,
  bytes: Buffer,
  redirections = "",
): Promise<readonly string[]> => {
  const serve = [world.launcher, "serve", String(options.uidBase), "on", "2048", "512", "8192"];
  const command = [...world.through, "/bin/sh", "-c", `exec "$@" ${redirections}`, "sh", ...serve];
  const server = spawn(command[0] ?? "", command.slice(1), { stdio: ["pipe", "pipe", "ignore"] });
  const reader = createFrameReader();
  const replies: string[] = [];
  const done = Promise.withResolvers<void>();
  server.stdout.on("data", (chunk: Buffer) => {
    for (const frame of reader.push(chunk)) {
      const reply = decodeReply(frame);
      if (reply === null) replies.push("unreadable");
      else if (reply.kind === "hello") server.stdin.write(bytes);
      else replies.push(reply.kind === "done" ? `done ${reply.how}` : reply.kind);
      if (reply?.kind === "done" || reply === null) done.resolve();
    }
  });
  server.stdin.on("error", () => undefined);
  server.stdout.on("end", () => done.resolve());
  await done.promise;
  server.stdin.end();
  if (server.exitCode === null) await once(server, "close");
  return replies;
};
