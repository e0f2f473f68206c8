/** Rounds of stop and of time being up leave the machine as it was. `npm run bench sandbox-hold` does 200 of each tier. */

import { expect, it, vi } from "vitest";
import { serversOf } from "./host.ts";
import { isReady, type Ledger, ledgerOf } from "./ledger.ts";
import { endedWithin } from "./rounds.ts";
import { describeTiers, textOf } from "./tiers.ts";
import type { World } from "./world.ts";

const serverOf = (world: World): number => {
  const [server] = serversOf(process.pid);
  if (server === undefined) throw new Error(`no server of ${world.name}`);
  return server;
};

/** With the process that waits for a command, and the same at two looks. */
const settled = async (server: number, uids: readonly number[]): Promise<Ledger> => {
  let last: Ledger | null = null;
  return vi.waitFor(
    () => {
      const seen = last;
      last = ledgerOf(server, uids);
      expect(isReady(server)).toBe(true);
      expect(last.processes).toBe(1);
      expect(last).toEqual(seen);
      return last;
    },
    { interval: 100 },
  );
};

describeTiers(["T0", "T1", "T2"], (world) => {
  it("no process, zombie, descriptor, mount, group, namespace or directory is left", async () => {
    const server = serverOf(world());
    // What is made once and kept, such as user namespaces of mounts and the files that the watchdog reads, is there then.
    await endedWithin(world(), "stop");
    await endedWithin(world(), "timeout");
    const before = await settled(server, world().uids);
    const took: number[] = [];
    for (let round = 0; round < 4; round++)
      took.push(await endedWithin(world(), round % 2 === 0 ? "stop" : "timeout"));
    await vi.waitFor(() => expect(ledgerOf(server, world().uids)).toEqual(before), {
      interval: 5,
    });
    // The allow twin: the ledger sees what runs.
    const up = Promise.withResolvers<void>();
    const abort = new AbortController();
    const running = world().sandbox.run(
      {
        policy: world().policy("restricted"),
        argv: ["/bin/bash", "-c", "echo up; sleep 600"],
        env: {},
        timeoutMs: 120_000,
        keep: { head: 9, tail: 0 },
      },
      { onOutput: () => up.resolve(), signal: abort.signal },
    );
    await up.promise;
    expect(ledgerOf(server, world().uids).processes).toBeGreaterThan(2);
    abort.abort();
    expect(textOf(await running)).toBe("up\n");
    console.log(`${world().name}: dead after ${took.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  });
});
