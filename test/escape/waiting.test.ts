/**
 * The process that waits for the next command (sandbox/launcher/server/ready.c): it takes on what the request says and nothing
 * of the one before, and nobody but the server reaches it. That it ends with its host is in test/sandbox/kill.test.ts.
 */

import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { childrenOf, serversOf } from "../sandbox/host.ts";
import { describeTiers, textOf } from "../sandbox/tiers.ts";
import { ENV, type World } from "../sandbox/world.ts";

const NAME = "parley-warm";

/** Paths of descriptors that the server gives the processes that wait. */
const OWN = /^((\/dev)?\/null|pipe:.*|socket:.*|\/|anon_inode:\[?landlock-ruleset\]?)$/;

const nameOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
};

const serverOf = ({ launcher }: World): number => {
  const found = serversOf(process.pid).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(launcher),
  );
  if (found === undefined) throw new Error("no server found");
  return found;
};

/** The supervisor and the command's process below it, once both wait. */
const waiting = async (server: number): Promise<readonly number[]> =>
  vi.waitFor(
    () => {
      const pids = childrenOf(server).flatMap((supervisor) =>
        childrenOf(supervisor)
          .filter((pid) => nameOf(pid) === NAME)
          .flatMap((main) => [supervisor, main]),
      );
      expect(pids).toHaveLength(2);
      // The filter is the last thing before the wait.
      expect(readFileSync(`/proc/${pids[1]}/status`, "utf8")).toMatch(/^Seccomp:\s+2$/m);
      expect(readFileSync(`/proc/${pids[1]}/stat`, "utf8")).toMatch(/\) S /);
      return pids;
    },
    { interval: 5 },
  );

const plant = (world: World, folder: string, text: string): string => {
  const path = join(world.folder, folder);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "note.txt"), text);
  return path;
};

describeTiers(["T0", "T1", "T2"], (world) => {
  it("it is the next Restricted command, with that command's files, user, place and variables, and an empty tmp", async () => {
    const { sandbox, folder } = world();
    for (const [n, name] of ["one", "two", "one", "three"].entries()) {
      const source = plant(world(), name, `${name}\n`);
      const place = sandbox.probe.mounts ? `/work-${name}` : source;
      const [, main] = await waiting(serverOf(world()));
      const result = await sandbox.run({
        policy: {
          profile: "restricted",
          network: "none",
          mounts: [{ source, target: `/work-${name}`, write: false }],
          cwd: place,
          identity: n,
        },
        argv: [
          "/bin/bash",
          "-c",
          `cat note.txt; pwd; echo $MARK; id -u; ls -A $TMPDIR; echo x > $TMPDIR/left; ls -d / /work* ${folder}/* 2>/dev/null | wc -l; echo $PPID`,
        ],
        env: { ...ENV, MARK: `mark-${n}` },
        timeoutMs: 120_000,
        keep: { head: 4096, tail: 0 },
      });
      const [note, cwd, mark, uid, seen, parent] = textOf(result).split("\n");
      expect([note, cwd, mark]).toEqual([name, place, `mark-${n}`]);
      if (world().expected === "T0") expect(Number(uid)).toBe(world().uidBase + n);
      // Its own mount and the root, and none of the one before; elsewhere names can be looked up, not listed.
      expect(Number(seen)).toBe(sandbox.probe.mounts ? 2 : 1);
      expect(Number(parent)).toBeGreaterThan(0);
      expect(nameOf(main ?? 0)).toBe("");
    }
  });

  it("it holds the server's own pipes and nothing else, and no privilege once its command is known", async () => {
    // After the fork, both processes still close descriptors.
    await vi.waitFor(
      async () => {
        for (const pid of await waiting(serverOf(world()))) {
          const held = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
          expect(held.filter((path) => !OWN.test(path))).toEqual([]);
          expect(held.length).toBeLessThan(9);
        }
      },
      { interval: 5 },
    );
    const result = await world().run("restricted", [
      "/bin/bash",
      "-c",
      "echo /dev/fd/*; grep -E '^(Cap(Eff|Prm|Inh|Amb)|NoNewPrivs|Seccomp):' /proc/self/status; true",
    ]);
    const [descriptors, ...lines] = textOf(result).trim().split("\n");
    // 3 is the shell's own look into the directory.
    if (world().sandbox.probe.mounts) {
      expect(descriptors?.split(" ").length).toBeLessThanOrEqual(4);
      expect(lines.map((line) => line.replaceAll(/\s+/g, " "))).toEqual([
        ...["Inh", "Prm", "Eff", "Amb"].map((set) => `Cap${set}: 0000000000000000`),
        "NoNewPrivs: 1",
        "Seccomp: 2",
      ]);
    }
  });

  it("a command that runs beside it can neither end, stop, limit nor read it, and the next one gets it whole", async () => {
    const pids = await waiting(serverOf(world()));
    const standing = (): readonly string[] =>
      pids.map((pid) => readFileSync(`/proc/${pid}/limits`, "utf8") + nameOf(pid));
    const before = standing();
    const attack = pids
      .map(
        (pid) =>
          `kill -9 ${pid}; kill -STOP ${pid}; prlimit --pid ${pid} --cpu=1:1; renice 19 ${pid}; cat /proc/${pid}/mem; cat /proc/${pid}/environ; echo x > /proc/${pid}/fd/4`,
      )
      .join(";");
    // With standard input it is begun the other way, so that the one that waits goes on waiting.
    const script = Buffer.from(`${attack}; kill -9 -1; exit 7`);
    await world().run("restricted", ["/bin/bash"], { stdin: script });
    await world().run("restricted", ["/bin/bash", "-c", `cat; ${attack}`], { stdin: Buffer.from("x") });
    expect(standing()).toEqual(before);
    for (const pid of pids) expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) S /);
    const own = "readlink /proc/self/ns/pid; echo $TMPDIR; ls -A $TMPDIR | wc -l";
    expect(textOf(await world().run("restricted", ["/bin/bash", "-c", own]))).toMatch(/\n0\n$/);
    expect(nameOf(pids[1] ?? 0)).toBe("");
  });

  it("what it cannot do, a launch of its own does or refuses with the reason; ended by somebody, it is missed by nobody", async () => {
    const [supervisor = 0] = await waiting(serverOf(world()));
    const policy = world().policy("restricted");
    const missing = { ...policy, mounts: [{ source: "/nowhere/at/all", target: "/work", write: false }] };
    expect(await world().run("restricted", ["/bin/true"], { policy: missing })).toMatchObject({
      kind: "failed",
    });
    const long = { ...ENV, LONG: "x".repeat(40_000) };
    const told = await world().run("restricted", ["/bin/bash", "-c", "echo ${#LONG}"], { env: long });
    expect(textOf(told)).toBe("40000\n");
    const [again = supervisor] = await waiting(serverOf(world()));
    process.kill(again, "SIGKILL");
    await vi.waitFor(() => expect(nameOf(again)).toBe(""), { interval: 2 });
    expect(textOf(await world().run("restricted", ["/bin/echo", "on"]))).toBe("on\n");
  });
});
