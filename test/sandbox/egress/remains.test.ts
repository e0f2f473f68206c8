/** What hosts and servers leave that were killed is gone with the next start; what a living one holds stays. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createEgress, EGRESS_PLACE, removeDead } from "../../../sandbox/egress/egress.ts";
import { createSandbox } from "../../../sandbox/server.ts";
import { hostOf } from "../host.ts";
import { describeTiers, textOf } from "../tiers.ts";

const placesOf = (owner: number): readonly string[] =>
  readdirSync("/tmp")
    .filter((name) => name.startsWith("parley-tmp-"))
    .map((name) => join("/tmp", name))
    .filter((path) => existsSync(path) && statSync(path).uid === owner);

describeTiers(["T0", "T2"], (world) => {
  it("a temporary directory of the host's goes with the next server when its own was killed, and not before", async ({
    skip,
  }) => {
    if (world().sandbox.probe.mounts)
      skip("commands have a tmp of their own there, which the kernel ends with them");
    const uid = world().expected === "T0" ? world().uid : (world().uids[0] ?? 0);
    const script = "mkdir -p $TMPDIR/a/b && echo x > $TMPDIR/a/b/c && echo up && exec sleep 600";
    const { host, server } = await hostOf(world(), ["/bin/bash", "-c", script]);
    const mine = placesOf(uid).filter((path) => existsSync(join(path, "a")));
    expect(mine).toHaveLength(1);

    const { launcher, through, uidBase } = { ...world() };
    const second = await createSandbox({ launcher, through, uidBase });
    expect(mine.filter((path) => existsSync(join(path, "a/b/c")))).toEqual(mine);
    await second.close();

    process.kill(server, "SIGKILL");
    host.kill("SIGKILL");
    await once(host, "close");
    const third = await createSandbox({ launcher, through, uidBase });
    await vi.waitFor(() => expect(mine.filter((path) => existsSync(path))).toEqual([]));
    await third.close();
    // The world's own server is alive, and so is what it holds.
    expect(
      textOf(await world().run("restricted", ["/bin/bash", "-c", "echo x > $TMPDIR/y; cat $TMPDIR/y"])),
    ).toBe("x\n");
  });
});

it("the proxy's directory of a dead host is removed by the next one, a living host's and a new one's is not", async () => {
  const opened = await createEgress({ allow: null });
  if (opened.kind === "failed") throw new Error(opened.reason);
  const folder = mkdtempSync(join(tmpdir(), "parley-remains-"));
  const make = (name: string): string => {
    const path = join(folder, `${EGRESS_PLACE}${name}`);
    mkdirSync(path);
    return path;
  };
  const [dead, fresh, other] = [make("dead"), make("fresh"), join(folder, "other")];
  mkdirSync(other);
  // A socket file stays when its process is killed: as one that was bound and never unlinked.
  const server = createServer().listen(join(dead, "t"));
  await once(server, "listening");
  renameSync(join(dead, "t"), join(dead, "s"));
  server.close();
  await once(server, "close");
  await removeDead(folder, "s");
  expect([dead, fresh, other].map((path) => existsSync(path))).toEqual([false, true, true]);
  await removeDead(tmpdir(), "s");
  expect(existsSync(join(opened.egress.directory, "s"))).toBe(true);
  await opened.egress.close();
  expect(existsSync(opened.egress.directory)).toBe(false);
  rmSync(folder, { recursive: true });
});

it("the proxy's directory is never removed while its host makes it, however many look for dead ones", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-remains-"));
  vi.stubEnv("TMPDIR", folder);
  const remover = fork(join(import.meta.dirname, "remover.ts"), [folder, "s"]);
  onTestFinished(async () => {
    remover.kill("SIGKILL");
    await once(remover, "exit");
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  await once(remover, "message");
  for (let host = 0; host < HOSTS; host += 1) {
    const opened = await createEgress({ allow: null });
    if (opened.kind === "failed") throw new Error(opened.reason);
    const client = connect(join(opened.egress.directory, "s"));
    await once(client, "connect");
    client.destroy();
    await opened.egress.close();
  }
});

const HOSTS = 400;
