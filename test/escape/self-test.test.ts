/** The attacks that the launcher itself knows (the self-test at each start), with the host listening; and what T0 and T3 are. */

import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createSandbox } from "../../sandbox/server.ts";
import type { SandboxPolicy } from "../../sandbox/types.ts";
import { describeTiers, textOf } from "../sandbox/tiers.ts";
import { ENV, type World } from "../sandbox/world.ts";

const CONTENT = "canary\n";

interface Outcome {
  readonly leaks: readonly string[];
  readonly tried: number;
  readonly reached: readonly string[];
}

/** Runs every attack of the launcher under the profile, with the host listening. */
const attack = async (
  world: World,
  profile: SandboxPolicy["profile"],
  network: SandboxPolicy["network"],
): Promise<Outcome> => {
  const secret = join(world.folder, "secret");
  writeFileSync(secret, CONTENT);
  writeFileSync(join(world.folder, "work", "readable"), CONTENT);
  const { uid, gid } = statSync(join(world.folder, "work"));
  for (const path of [secret, join(world.folder, "work", "readable")]) chownSync(path, uid, gid);
  const heard: { readonly kind: string; readonly from: number | undefined }[] = [];
  const socket = join(world.folder, "work", "socket");
  const tcp = createServer((connection) => {
    heard.push({ kind: "tcp", from: connection.remotePort });
    connection.destroy();
  }).listen(0, "127.0.0.1");
  const local = createServer(() => heard.push({ kind: "unix", from: undefined })).listen(socket);
  await Promise.all([once(tcp, "listening"), once(local, "listening")]);
  chmodSync(socket, 0o777);
  const address = tcp.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const udp = createSocket("udp4", (_, { port: from }) => heard.push({ kind: "udp", from })).bind(
    port,
    "127.0.0.1",
  );
  await once(udp, "listening");
  const base = world.policy(profile, network);
  const policy = {
    ...base,
    mounts: [...base.mounts, { source: world.launcher, target: world.launcher, write: false }],
  };
  const argv = [
    world.launcher,
    "attack",
    secret,
    `${world.work}/readable`,
    String(port),
    String(world.victim.pid),
    `${world.work}/socket`,
  ];
  const result = await world.run(profile, argv, { policy, env: ENV });
  // Both queues are in order: what the attack sent is heard by the time that this is.
  const knock = connect(port, "127.0.0.1");
  await once(knock, "connect");
  const whisper = createSocket("udp4").bind(0, "127.0.0.1");
  await once(whisper, "listening");
  whisper.send("", port, "127.0.0.1");
  const own = [knock.localPort, whisper.address().port];
  await vi.waitFor(() => expect(heard.map(({ from }) => from)).toEqual(expect.arrayContaining(own)));
  knock.destroy();
  whisper.close();
  await Promise.all([tcp, local].map((server) => once(server.close(), "close")));
  udp.close();
  const lines = textOf(result)
    .split("\n")
    .filter((line) => line !== "");
  return {
    leaks: lines.filter((line) => !line.startsWith("held ")).map((line) => line.replace("LEAK ", "")),
    tried: lines.length,
    reached: heard.filter(({ from }) => !own.includes(from)).map(({ kind }) => kind),
  };
};

describeTiers(["T0", "T1", "T2"], (world) => {
  it("restricted: no attack gets through and no canary of the host is touched", async () => {
    const { folder, victim } = world();
    const before = statSync(join(folder, "work", "note.txt"));
    const outcome = await attack(world(), "restricted", "none");
    expect(outcome).toEqual({ leaks: [], tried: 46, reached: [] });
    expect(world().sandbox.probe.selfTest).toEqual({ attacks: outcome.tried, ms: expect.any(Number) });
    expect(readFileSync(join(folder, "secret"), "utf8")).toBe(CONTENT);
    expect(readFileSync(join(folder, "work", "readable"), "utf8")).toBe(CONTENT);
    expect(readdirSync(folder).filter((name) => name.startsWith("secret"))).toEqual(["secret"]);
    expect(readdirSync(join(folder, "work")).toSorted()).toEqual(["note.txt", "readable"]);
    const after = statSync(join(folder, "work", "note.txt"));
    expect([after.mode, after.ctimeMs]).toEqual([before.mode, before.ctimeMs]);
    expect(victim.exitCode).toBeNull();
    expect(victim.signalCode).toBeNull();
  });

  it("restricted: the kernel's own words reach the command, whichever way it writes", async () => {
    const script = `
      echo x > made; echo x > note.txt; : > note.txt; mkdir d; ln -s a b; mv note.txt n; rm -f note.txt; chmod 777 note.txt
      touch -d yesterday note.txt; truncate -s 0 note.txt; exec 3<>/dev/tcp/127.0.0.1/80; exec 3<>/dev/udp/127.0.0.1/80`;
    const result = await world().run("restricted", ["/bin/bash", "-c", script]);
    const complaints = textOf(result)
      .split("\n")
      .filter((line) => /Permission denied|not permitted|Read-only/.test(line));
    expect(complaints.length).toBeGreaterThanOrEqual(12);
    expect(readFileSync(join(world().folder, "work", "note.txt"), "utf8")).toBe("first line\n");
  });

  it("unrestricted without network: files yes, sockets no", async ({ skip }) => {
    if (world().name === "root without namespaces") skip("no id-mapped mounts without mount namespaces");
    const outcome = await attack(world(), "unrestricted", "none");
    // Without a uid or namespace of its own, metadata of the host user's files is a documented residual leak.
    const residual = world().expected === "T2" ? ["chmod-secret"] : [];
    expect(outcome.leaks.toSorted()).toEqual(
      [...residual, "make-beside", "remove", "truncate", "watching", "write-readable"].toSorted(),
    );
    expect(outcome.reached).toEqual([]);
    expect(readFileSync(join(world().folder, "secret"), "utf8")).toBe(CONTENT);
  });

  it("unrestricted with egress: sockets of the internet families alone, and the host's are out of reach where there is a proxy", async ({
    skip,
  }) => {
    if (world().name === "root without namespaces") skip("no id-mapped mounts without mount namespaces");
    const outcome = await attack(world(), "unrestricted", "egress");
    const proxied = world().sandbox.probe.egress === "proxy";
    /* In an empty network a datagram can be sent to nobody. */
    const sockets = proxied ? ["udp", "listen"] : ["tcp", "udp", "listen"];
    expect(
      outcome.leaks.filter((leak) => /tcp|udp|socket|famil|netlink|unix|listen/.test(leak)).toSorted(),
    ).toEqual(sockets.toSorted());
    expect(outcome.reached.includes("tcp")).toBe(!proxied);
    expect(outcome.reached.includes("udp")).toBe(!proxied);
    expect(outcome.reached).not.toContain("unix");
  });

  it("unrestricted writes, renames, links and changes modes in its mount; the host owns the result", async ({
    skip,
  }) => {
    if (world().name === "root without namespaces") skip("no id-mapped mounts without mount namespaces");
    const script =
      "mkdir -p a/b c && echo x > a/b/f && mv a/b/f c/f && ln c/f c/g && chmod 750 c/f && touch -d 2001-01-01 c/f && git init -q r && cat c/f";
    const result = await world().run("unrestricted", ["/bin/bash", "-c", script]);
    expect(textOf(result)).toBe("x\n");
    const made = statSync(join(world().folder, "work", "c", "f"));
    const owner = statSync(join(world().folder, "work"));
    expect([made.uid, made.gid, made.mode & 0o7777]).toEqual([owner.uid, owner.gid, 0o750]);
  });
});

describeTiers(["T0"], (world) => {
  it("as root: another uid, no group, no capability, and a 0600 file of the mount's owner is readable", async () => {
    const result = await world().run("restricted", [
      "/bin/bash",
      "-c",
      "id -u; id -G; whoami; ls -A / | tr '\\n' ' '; cat note.txt",
    ]);
    const lines = textOf(result).split("\n");
    expect(lines.slice(0, 2)).toEqual([`${world().uid}`, `${world().uid}`]);
    if (!world().sandbox.probe.mounts) return;
    expect(lines[2]).toBe("parley");
    expect(lines[3]).toMatch(/^bin dev etc lib .*proc .*tmp usr work first line/);
  });

  it("as root: /etc/shadow and root's home stay closed", async () => {
    const result = await world().run("restricted", [
      "/bin/bash",
      "-c",
      "cat /etc/shadow; ls /root; cat /etc/hostname >/dev/null && echo open",
    ]);
    expect(textOf(result)).toMatch(/shadow: Permission denied/);
    expect(textOf(result)).toContain("open");
  });
});

describeTiers(["T2"], (world) => {
  it("Unrestricted, which could change the bot's own files here, runs only where the operator has accepted it", async () => {
    const { launcher, through, folder } = world();
    const made = join(folder, "work", "unasked");
    const request = {
      policy: world().policy("unrestricted"),
      argv: ["/usr/bin/touch", made],
      env: ENV,
      timeoutMs: 120_000,
      keep: { head: 1024, tail: 0 },
    };
    const careful = await createSandbox({ launcher, through });
    try {
      expect(careful.probe.unrestricted).toMatchObject({ kind: "open" });
      const refused = await careful.run(request);
      expect(refused).toMatchObject({
        kind: "failed",
        reason: expect.stringContaining("PARLEY_ALLOW_T2_WRITES=on accepts it"),
      });
      expect(existsSync(made)).toBe(false);
      const restricted = { ...request, policy: world().policy("restricted"), argv: ["/bin/true"] };
      expect(await careful.run(restricted)).toMatchObject({ kind: "exited", code: 0 });
    } finally {
      await careful.close();
    }
    expect(await world().sandbox.run(request)).toMatchObject({ kind: "exited", code: 0 });
    expect(existsSync(made)).toBe(true);
  });
});

describeTiers(["T3"], (world) => {
  it("without Landlock Restricted is refused with what the kernel needs, and Unrestricted still runs", async () => {
    const { probe } = world().sandbox;
    expect([probe.restricted, probe.abi]).toEqual([false, 0]);
    expect(probe.refusal).toMatch(/Linux 5\.13\+ with user namespaces or started as root, else 6\.12\+/);
    const refused = await world().run("restricted", ["/bin/bash", "-c", "echo ran > /tmp/parley-ran-anyway"]);
    expect(refused).toEqual({ kind: "failed", reason: probe.refusal });
    expect(existsSync("/tmp/parley-ran-anyway")).toBe(false);
    const ran = await world().run("unrestricted", ["/bin/bash", "-c", "id -u; echo x > made; env | wc -l"]);
    expect(ran.kind).toBe("exited");
    expect(textOf(ran)).not.toMatch(/^0\n/);
    expect(readFileSync(join(world().folder, "work", "made"), "utf8")).toBe("x\n");
  });
});
