/** Whatever a command started is dead when its result arrives, and nothing survives the host. */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { hostOf, serversOf } from "./host.ts";
import { describeTiers, isRunning, textOf } from "./tiers.ts";
import { ENV, type World } from "./world.ts";

/** Ten processes that do not want to die: ignoring signals, daemons, other sessions and groups, stopped ones. */
const treeOf = (mark: string): string => `
  trap '' TERM INT HUP QUIT PIPE USR1 USR2
  s() { exec -a ${mark} sleep 600; }
  s & s & (s &) ; (setsid bash -c 'trap "" TERM HUP; exec -a ${mark} sleep 600' &)
  (setsid bash -c '(setsid bash -c "exec -a ${mark} sleep 600" &) ; exec -a ${mark} sleep 600' &)
  nohup bash -c 'exec -a ${mark} sleep 600' > /dev/null & disown
  bash -c 'kill -STOP $$; true' & bash -c 'exec -a ${mark} sleep 600' &
  ( while :; do (bash -c 'exec -a ${mark} sleep 0.05' &) ; sleep 0.01; done ) &
  sleep 0.1; echo ready; wait; sleep 600`;

const abortWhenReady = async (world: World, mark: string): Promise<number> => {
  const abort = new AbortController();
  let abortedAt = 0;
  const result = await world.sandbox.run(
    {
      policy: world.policy("restricted"),
      argv: ["/bin/bash", "-c", treeOf(mark)],
      env: ENV,
      timeoutMs: 120_000,
      keep: { head: 100, tail: 0 },
    },
    {
      signal: abort.signal,
      onOutput: () => {
        abortedAt = performance.now();
        abort.abort();
      },
    },
  );
  const took = performance.now() - abortedAt;
  expect(result.kind).toBe("killed");
  expect(textOf(result)).toBe("ready\n");
  return took;
};

describeTiers(["T0", "T1", "T2"], (world) => {
  it("a tree of daemons that ignore signals is dead when an abort is answered", async () => {
    const took: number[] = [];
    for (let round = 0; round < 2; round++) {
      const mark = `parley-mark-${process.pid}-${round}-${world().expected}`;
      took.push(await abortWhenReady(world(), mark));
      expect(await isRunning(mark)).toBe(false);
    }
    console.log(
      `${world().name}: tree dead after abort in ms: ${took.map((ms) => ms.toFixed(1)).join(", ")}`,
    );
  });

  it("time being up and a normal end leave nothing behind either", async () => {
    const mark = `parley-left-${process.pid}-${world().expected}`;
    const script = `(setsid bash -c 'exec -a ${mark} sleep 600' &); sleep 0.1;`;
    await world().run("restricted", ["/bin/bash", "-c", `${script} sleep 600`], { timeoutMs: 400 });
    expect(await isRunning(mark)).toBe(false);
    await world().run("restricted", ["/bin/bash", "-c", `${script} exit 0`]);
    expect(await isRunning(mark)).toBe(false);
  });

  it("an abort before the start runs nothing; one after the end changes nothing", async () => {
    const abort = new AbortController();
    abort.abort();
    const request = {
      policy: world().policy("restricted"),
      argv: ["/bin/echo", "x"],
      env: ENV,
      timeoutMs: 5000,
      keep: { head: 9, tail: 9 },
    };
    expect(await world().sandbox.run(request, { signal: abort.signal })).toMatchObject({
      kind: "killed",
      total: 0,
    });
    const late = new AbortController();
    expect(await world().sandbox.run(request, { signal: late.signal })).toMatchObject({
      kind: "exited",
      code: 0,
    });
    late.abort();
    expect(textOf(await world().sandbox.run(request))).toBe("x\n");
  });

  it("SIGKILL of the host process leaves nothing running", async () => {
    const mark = `parley-orphan-${process.pid}-${world().expected}`;
    const { host, server } = await hostOf(world(), ["/bin/bash", "-c", treeOf(mark)]);
    host.kill("SIGKILL");
    await once(host, "close");
    expect(await goneSoon(mark)).toBe(true);
    // The server ends last, and what waited for a command had its arguments (launcher/server/ready.c).
    await vi.waitFor(() => expect(existsSync(`/proc/${server}`)).toBe(false), { interval: 5 });
    expect(serversBelow(1).filter((args) => args.includes(world().launcher))).toEqual([]);
  });

  it("SIGKILL of the server settles what runs as failed, ends it, and the next command finds a new server", async () => {
    const mark = `parley-server-${process.pid}-${world().expected}`;
    const policy = world().policy("restricted");
    const up = Promise.withResolvers<void>();
    const running = world().sandbox.run(
      {
        policy,
        argv: ["/bin/bash", "-c", treeOf(mark)],
        env: ENV,
        timeoutMs: 120_000,
        keep: { head: 9, tail: 9 },
      },
      { onOutput: () => up.resolve() },
    );
    await up.promise;
    const [server] = serversOf(process.pid);
    if (server === undefined) throw new Error("no server found");
    process.kill(server, "SIGKILL");
    expect(await running).toMatchObject({ kind: "failed" });
    expect(await goneSoon(mark)).toBe(true);
    expect(textOf(await world().run("restricted", ["/bin/echo", "again"]))).toBe("again\n");
  });
});

/** The arguments of launchers that nobody but init holds. */
const serversBelow = (parent: number): readonly string[] =>
  execFileSync("/bin/ps", ["-o", "args=", "--ppid", String(parent)])
    .toString()
    .split("\n")
    .filter((args) => args.includes("launcher serve"));

/** True once no process carries the mark; processes die a moment after what kills them. */
const goneSoon = async (mark: string): Promise<boolean> => {
  for (let attempt = 0; attempt < 50; attempt++) {
    if (!(await isRunning(mark))) return true;
  }
  return false;
};
