/** What a caller of `run` is promised: results, bounds, interleaving, reasons. */

import { expect, it } from "vitest";
import { describeTiers, textOf } from "./tiers.ts";
import { ENV } from "./world.ts";

describeTiers(["T0", "T1", "T2"], (world) => {
  it("reports exit status, signal and output as they were", async () => {
    const exited = await world().run("restricted", [
      "/bin/bash",
      "-c",
      "echo out; echo err >&2; echo out2; exit 7",
    ]);
    expect(exited).toMatchObject({ kind: "exited", code: 7, total: 13 });
    expect(textOf(exited)).toBe("out\nerr\nout2\n");
    const signalled = await world().run("restricted", ["/bin/bash", "-c", "kill -TERM $$"]);
    expect(signalled).toMatchObject({ kind: "signalled", signal: 15 });
  });

  it("returns what was written before the time was up", async () => {
    const result = await world().run("restricted", ["/bin/bash", "-c", "echo before; sleep 60; echo after"], {
      timeoutMs: 300,
    });
    expect(result.kind).toBe("timedOut");
    expect(textOf(result)).toBe("before\n");
  });

  it("does not wait for what a command left running", async () => {
    const result = await world().run("restricted", [
      "/bin/bash",
      "-c",
      "sleep 600 & (setsid sleep 601 &); echo done",
    ]);
    expect(result).toMatchObject({ kind: "exited", code: 0 });
    expect(textOf(result)).toBe("done\n");
  });

  it("keeps head and tail of a flood and counts the rest", async () => {
    const script = "head -c 40000000 /dev/zero | tr '\\0' a; echo; echo END";
    const result = await world().run("restricted", ["/bin/bash", "-c", script], {
      keep: { head: 1000, tail: 1000 },
    });
    expect(result).toMatchObject({ kind: "exited", code: 0, total: 40_000_005 });
    if (result.kind === "failed") return;
    expect(result.head.toString()).toBe("a".repeat(1000));
    expect(result.tail.toString()).toBe(`${"a".repeat(995)}\nEND\n`);
  });

  it("joins head and tail without loss where the output just fits, at each border", async () => {
    for (const size of [0, 9, 10, 11, 19, 20, 21, 25]) {
      const script = `for ((i=0;i<${size};i++)); do printf '%x' $((i%16)); done`;
      const whole = Array.from({ length: size }, (_, i) => (i % 16).toString(16)).join("");
      const result = await world().run("restricted", ["/bin/bash", "-c", script], {
        keep: { head: 10, tail: 10 },
      });
      if (result.kind === "failed") throw new Error(result.reason);
      expect([result.head.toString(), result.tail.toString(), result.total]).toEqual([
        whole.slice(0, 10),
        size > 10 ? whole.slice(10).slice(-10) : "",
        size,
      ]);
    }
  });

  it("feeds standard input whole, and gives none where there is none", async () => {
    const stdin = Buffer.alloc(700_000, "line of input\n");
    const fed = await world().run("restricted", ["/usr/bin/md5sum"], { stdin });
    const expected = await world().run("restricted", [
      "/bin/bash",
      "-c",
      "yes 'line of input' | head -c 700000 | md5sum",
    ]);
    expect(textOf(fed)).toBe(textOf(expected));
    expect(textOf(await world().run("restricted", ["/usr/bin/wc", "-c"]))).toBe("0\n");
    // A command that does not read its input is not held up by it.
    expect(textOf(await world().run("restricted", ["/bin/echo", "quick"], { stdin }))).toBe("quick\n");
  });

  it("gives exactly the requested environment and TMPDIR", async () => {
    const result = await world().run("restricted", ["/usr/bin/env"], {
      env: { ...ENV, TMPDIR: "/elsewhere", GREETING: "a=b c" },
    });
    const names = textOf(result)
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(new Set(names)).toEqual(new Set(["GREETING", "HOME", "LANG", "PATH", "TMPDIR"]));
    expect(textOf(result)).toContain("GREETING=a=b c\n");
    expect(textOf(result)).toMatch(/TMPDIR=\/tmp/);
  });

  it("streams output while the command runs, and all of it", async () => {
    const chunks: { readonly at: number; readonly text: string }[] = [];
    const result = await world().sandbox.run(
      {
        policy: world().policy("restricted"),
        argv: ["/bin/bash", "-c", "echo one; sleep 0.4; echo two; head -c 1000000 /dev/zero | tr '\\0' x"],
        env: ENV,
        timeoutMs: 120_000,
        keep: { head: 0, tail: 0 },
      },
      { onOutput: (chunk) => chunks.push({ at: performance.now(), text: chunk.toString() }) },
    );
    expect(result).toMatchObject({ kind: "exited", code: 0, total: 1_000_008 });
    expect(chunks[0]?.text).toBe("one\n");
    expect(chunks.map((chunk) => chunk.text).join("").length).toBe(1_000_008);
    expect((chunks.at(-1)?.at ?? 0) - (chunks[0]?.at ?? 0)).toBeGreaterThan(300);
  });

  it("lets a script open its own output again, and substitute processes", async () => {
    const result = await world().run("restricted", [
      "/bin/bash",
      "-c",
      "echo a > /dev/stderr; cat <(echo b); cat <<< c; echo d | tee /dev/null",
    ]);
    expect(textOf(result)).toBe("a\nb\nc\nd\n");
  });

  it("runs what the tools need: python and node with processes, a program of the checkout", async () => {
    const python = "import subprocess; print(subprocess.check_output(['echo', 'py']).decode(), end='')";
    expect(textOf(await world().run("restricted", ["/usr/bin/python3", "-c", python]))).toBe("py\n");
    const policy = world().policy("restricted");
    const { sandbox } = world();
    const program = sandbox.probe.mounts ? "/programs/node" : process.execPath;
    const mounts = [...policy.mounts, { source: process.execPath, target: "/programs/node", write: false }];
    const script = `console.log(require('child_process').execSync('echo node').toString().trim(),
      new WebAssembly.Memory({ initial: 1 }).buffer.byteLength)`;
    expect(
      textOf(await world().run("restricted", [program, "-e", script], { policy: { ...policy, mounts } })),
    ).toBe("node 65536\n");
  });

  it("git and a compiler work in tmp, except where nothing is mounted read-only", async ({ skip }) => {
    if (!world().sandbox.probe.mounts)
      skip("without mounts of its own Restricted allows no chmod, which both need");
    const script = `git init -q $TMPDIR/r && git -C $TMPDIR/r status -s && echo git
      echo 'int main(void) { return 0; }' > $TMPDIR/a.c && cc $TMPDIR/a.c -o $TMPDIR/a && $TMPDIR/a && echo cc`;
    expect(textOf(await world().run("restricted", ["/bin/bash", "-c", script]))).toBe("git\ncc\n");
  });

  it("runs many commands at once and mixes none of them up", async () => {
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        world().run("restricted", ["/bin/bash", "-c", `sleep 0.0${i % 10}; echo number ${i}`]),
      ),
    );
    expect(results.map(textOf)).toEqual(Array.from({ length: 40 }, (_, i) => `number ${i}\n`));
  });

  it("nothing runs where the confinement cannot be built, and the reason is told", async () => {
    const { work, folder } = world();
    const policy = world().policy("restricted");
    const argv = ["/bin/bash", "-c", "echo ran"];
    const reasons = await Promise.all([
      world().run("restricted", argv, { policy: { ...policy, cwd: `${work}/missing` } }),
      world().run("restricted", argv, { policy: { ...policy, cwd: "relative" } }),
      world().run("restricted", argv, {
        policy: { ...policy, mounts: [{ source: `${folder}/missing`, target: "/work", write: false }] },
      }),
      world().run("restricted", argv, {
        policy: { ...policy, mounts: [{ source: folder, target: "/proc/x", write: false }] },
      }),
      world().run("restricted", argv, {
        policy: { ...policy, mounts: [{ source: folder, target: "/a/../b", write: false }] },
      }),
      world().run("restricted", argv, {
        policy: { ...policy, mounts: [{ source: folder, target: "/work", write: true }] },
      }),
      world().run("restricted", argv, { policy: { ...policy, network: "egress" } }),
      world().run("restricted", argv, { policy: { ...policy, identity: 10_000 } }),
      world().run("restricted", ["/no/such/program"]),
      world().run("restricted", ["no-such-program"]),
      world().run("restricted", ["/bin/echo", "zero\0byte"]),
      world().run("restricted", ["/bin/echo", "x".repeat(2_000_000)]),
    ]);
    expect(reasons.map((result) => result.kind)).toEqual(reasons.map(() => "failed"));
    expect(reasons.map(textOf)).toEqual([
      expect.stringMatching(/working directory .*missing: No such file/),
      expect.stringMatching(/not absolute/),
      expect.stringMatching(/missing: No such file/),
      expect.stringMatching(/system directory/),
      expect.stringMatching(/plain absolute path/),
      expect.stringMatching(/no writable mount/),
      expect.stringMatching(/no network/),
      expect.stringMatching(/identity/),
      expect.stringMatching(/execute .*No such file/),
      expect.stringMatching(/execute .*No such file/),
      expect.stringMatching(/zero byte/),
      expect.stringMatching(/too long/),
    ]);
    expect(textOf(await world().run("restricted", argv))).toBe("ran\n");
  });
});
