/** Attacks from inside a command with network egress: nothing of the host or of another command is reached around the proxy. */

import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, it, type TestContext } from "vitest";
import { createSandbox } from "../../../sandbox/server.ts";
import type { RunResult } from "../../../sandbox/types.ts";
import { CLOSED, listen, OPEN } from "./client.ts";
import { describeTiers, textOf } from "../tiers.ts";
import { ENV, type World } from "../world.ts";

const python = existsSync("/usr/bin/python3");
if (!python) console.log("skipped: attacks with python: there is no /usr/bin/python3");

/** Connections of one command at a time (launcher/server/pump.c). */
const RELAY_BOUND = 128;

const shell = (world: World, script: string): Promise<RunResult> =>
  world.run("unrestricted", ["/bin/bash", "-c", script], {
    policy: world.policy("unrestricted", "egress"),
    timeoutMs: 120_000,
  });

const destinationsOf = (result: RunResult): readonly string[] =>
  result.kind === "failed"
    ? [result.reason]
    : (result.destinations ?? []).map(({ host, port, allowed }) => `${allowed ? "" : "not "}${host}:${port}`);

const hello = () => createHttpServer((_request, response) => response.end("hello\n"));

const skipShared = (world: World, skip: TestContext["skip"]): void => {
  if (world.sandbox.probe.egress === "shared") skip("egress shares the host's network here");
};

/** Processes of this world's launcher: the server, and a relay and a supervisor for each command. */
/** Without what waits for a command (sandbox/launcher/server/ready.c): where there are namespaces both have its name. */
/** The oldest first: numbers of processes begin anew. */
const processes = async (world: World): Promise<readonly number[]> => {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid,comm,args", "--sort=start_time"]);
  return stdout
    .split("\n")
    .filter((line) => line.includes(`${world.launcher} serve`) && !/setpriv|deny|parley-warm/.test(line))
    .map((line) => Number.parseInt(line, 10));
};

/** The server alone, which has just forked what waits for a command and not yet named it where there seem to be more. */
const SERVER = 1;

const processesSoon = async (world: World, wanted: number): Promise<number> => {
  let count = (await processes(world)).length;
  // A fork without its name yet is counted for a moment, so that the next reading may differ.
  for (let i = 0; i < 200 && count !== wanted; i++) {
    await sleep(10);
    count = (await processes(world)).length;
  }
  return count;
};

describeTiers(["T0", "T1"], (world) => {
  it("an allowed server is reached through the proxy, and not without it", async ({ skip }) => {
    skipShared(world(), skip);
    await using server = await listen(hello());
    const url = `http://${OPEN}:${server.port}/`;
    const result = await shell(world(), `curl -s ${url}; curl -sp ${url}`);
    expect(textOf(result)).toBe("hello\nhello\n");
    expect(destinationsOf(result)).toEqual([`${OPEN}:${server.port}`]);
    expect(server.count()).toBe(2);
    const around = await shell(world(), `curl -s --noproxy '*' ${url} || echo none`);
    expect([textOf(around), destinationsOf(around), server.count()]).toEqual(["none\n", [], 2]);
  });

  it("no packet finds a way out beside the proxy", async ({ skip }) => {
    skipShared(world(), skip);
    const heard: string[] = [];
    await using tcp = await listen(createServer(), CLOSED);
    const udp = createSocket("udp4", () => heard.push("udp")).bind(tcp.port);
    await once(udp, "listening");
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const addresses = [
      CLOSED,
      ...own.filter(({ family }) => family === "IPv4").map(({ address }) => address),
    ];
    const tries = [...addresses, "1.1.1.1", "169.254.169.254", "10.255.255.53"].map(
      (address) =>
        `(exec 3<>/dev/tcp/${address}/${tcp.port}) 2>&- && echo tcp ${address}; echo x 2>&- >/dev/udp/${address}/${tcp.port};`,
    );
    const result = await shell(
      world(),
      `${tries.join("\n")} getent hosts example.org; cat /proc/net/route | wc -l; ls /sys 2>&- ; ip -o link 2>&- | grep -vc ': lo:'; echo end`,
    );
    expect(textOf(result)).toMatch(/^1\n(0\n)?end\n$/);
    udp.close();
    expect([tcp.count(), heard]).toEqual([0, []]);
  });

  it("the host's ports, its metadata service and its names are refused by the proxy, however they are written", async ({
    skip,
  }) => {
    skipShared(world(), skip);
    await using local = await listen(hello(), CLOSED);
    await using moved = await listen(
      createHttpServer((_request, response) =>
        response.writeHead(302, { Location: "http://169.254.169.254/latest/meta-data/" }).end(),
      ),
    );
    const { port } = local;
    const urls = [
      `http://${CLOSED}:${port}/`,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f.1:${port}/`,
      `http://0177.0.0.1:${port}/`,
      "http://169.254.169.254/",
      "http://2852039166/",
      "http://metadata.google.internal/",
      `http://${OPEN}:${moved.port}/`,
    ];
    const script = `export no_proxy= NO_PROXY=; for u in ${urls.map((url) => `'${url}'`).join(" ")}; do
      curl -gsL -o /dev/null -w '%{http_code} ' $u; curl -gspL -o /dev/null -w '%{http_connect} ' $u; done`;
    const result = await shell(world(), script);
    const codes = textOf(result).trim().split(" ");
    expect(codes.slice(0, -2).filter((code) => code !== "403" && code !== "400")).toEqual([]);
    expect(codes.slice(-2)).toEqual(["403", "403"]);
    expect(destinationsOf(result).filter((each) => !each.startsWith("not "))).toEqual([
      `${OPEN}:${moved.port}`,
    ]);
    expect(local.count()).toBe(0);
  });

  it.skipIf(!python)(
    "local, raw and odd sockets are not to be had, and the relay's port is nobody else's",
    async ({ skip }) => {
      skipShared(world(), skip);
      const abstract = `\0parley-attack-${process.pid}-${world().name}`;
      let reached = 0;
      const server = createServer(() => reached++).listen(abstract);
      await once(server, "listening");
      const directory = "/tmp"; // whatever its name: the socket's directory is in no mount
      const script = `
import socket, os
def t(name, f):
    try:
        f(); print("LEAK", name)
    except OSError as e: print("held", name)
t("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\\0" + ${JSON.stringify(abstract.slice(1))}))
t("unix", lambda: socket.socket(socket.AF_UNIX).connect("${directory}/s"))
t("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
t("ping", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 1))
t("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
t("vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
t("mptcp", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262))
t("bind", lambda: socket.socket().bind(("127.0.0.1", 1023)))
t("bind low", lambda: socket.socket().bind(("127.0.0.1", 80)))
t("fds", lambda: os.fstat(3))
own = socket.socket(); own.bind(("127.0.0.1", 8080)); own.listen()
socket.create_connection(("127.0.0.1", 8080)); print("own loopback")`;
      const result = await shell(world(), `python3 - <<'E'\n${script}\nE`);
      server.close();
      expect(
        textOf(result)
          .split("\n")
          .filter((line) => !line.startsWith("held ")),
      ).toEqual(["own loopback", ""]);
      expect(textOf(result).match(/^held /gm)).toHaveLength(10);
      expect(reached).toBe(0);
    },
  );

  it("the relay cannot be named, killed or traced, and goes with its command", async ({ skip }) => {
    skipShared(world(), skip);
    await using server = await listen(hello());
    expect(await processesSoon(world(), SERVER)).toBe(SERVER);
    const script = `echo /proc/[0-9]* | wc -w; sleep 60 & kill -9 -1; wait
      for p in $(seq 1 400); do [ $p = $$ ] || kill -9 $p 2>&-; done; curl -s http://${OPEN}:${server.port}/`;
    expect(textOf(await shell(world(), script))).toMatch(/^[34]\n(.*\n)*hello\n$/);
    expect(await processesSoon(world(), SERVER)).toBe(SERVER);
  });

  it("one command's relay, record and loopback are not another's", async ({ skip }) => {
    skipShared(world(), skip);
    await using server = await listen(hello());
    const url = `http://${OPEN}:${server.port}/`;
    const gate = join(world().folder, "work", "gate");
    rmSync(gate, { force: true });
    const first = shell(
      world(),
      "exec 3<>/dev/tcp/127.0.0.1/1023; curl -s http://198.51.100.7/ >/dev/null; until [ -e gate ]; do sleep 0.02; done; echo first",
    );
    const second = shell(world(), `(exec 3<>/dev/tcp/127.0.0.1/8765) 2>&- || echo apart; curl -s ${url}`);
    expect([textOf(await second), destinationsOf(await second)]).toEqual([
      "apart\nhello\n",
      [`${OPEN}:${server.port}`],
    ]);
    writeFileSync(gate, "");
    expect([textOf(await first), destinationsOf(await first)]).toEqual(["first\n", ["not 198.51.100.7:80"]]);
  });

  it.skipIf(!python)(
    "ten thousand connections exhaust nobody but their own command, and it recovers",
    async ({ skip }) => {
      skipShared(world(), skip);
      const gate = join(world().folder, "work", "gate");
      rmSync(gate, { force: true });
      let open = 0;
      let most = 0;
      const full = Promise.withResolvers<void>();
      const holding = createServer((socket) => {
        most = Math.max(most, ++open);
        if (open === RELAY_BOUND) full.resolve();
        socket.on("close", () => open--);
      });
      await using held = await listen(holding);
      await using server = await listen(hello());
      const script = `
import os, socket, time
kept = []
for i in range(3400):
    s = socket.socket(); s.setblocking(False); s.connect_ex(("127.0.0.1", 1023))
    try: s.send(b"CONNECT ${OPEN}:${held.port} HTTP/1.1\\r\\n\\r\\n")
    except OSError: pass
    kept.append(s)
while not os.path.exists("gate"): time.sleep(0.02)`;
      const url = `http://${OPEN}:${server.port}/`;
      const f = `python3 -c '${script}'`;
      const flood = shell(world(), `${f} & ${f} & ${f} & wait; curl -s ${url}`);
      await full.promise;
      expect(textOf(await shell(world(), `curl -s ${url}`))).toBe("hello\n");
      writeFileSync(gate, "");
      expect(textOf(await flood)).toBe("hello\n");
      expect(most).toBe(RELAY_BOUND);
    },
  );

  it("no relay outlives the server, however that ends", async ({ skip }) => {
    skipShared(world(), skip);
    const running = shell(world(), "sleep 60");
    expect(await processesSoon(world(), SERVER + 2)).toBe(SERVER + 2);
    const [server = 0] = await processes(world());
    expect(server).toBeGreaterThan(1);
    process.kill(server, "SIGKILL");
    expect((await running).kind).toBe("failed");
    expect(await processesSoon(world(), 0)).toBe(0);
    expect(textOf(await shell(world(), "echo again"))).toBe("again\n");
  });

  it("without the proxy's side a command runs and reaches nothing", async ({ skip }) => {
    skipShared(world(), skip);
    await using server = await listen(hello());
    const none = await world().run(
      "unrestricted",
      ["/bin/bash", "-c", `curl -s http://${OPEN}:${server.port}/ || echo none`],
      {
        policy: { ...world().policy("unrestricted", "none"), mounts: [], cwd: "/tmp" },
      },
    );
    expect([textOf(none), server.count()]).toEqual(["none\n", 0]);
  });
});

describeTiers(["T2"], (world) => {
  it("where there are no namespaces the network is the host's, which the probe says", async () => {
    const { probe } = world().sandbox;
    expect(probe.egress).toBe("shared");
    expect(probe.residual.join("\n")).toMatch(/shares the host's network/);
    await using server = await listen(hello());
    const result = await shell(world(), `curl -s --noproxy '*' http://${OPEN}:${server.port}/`);
    expect(textOf(result)).toBe("hello\n");
    expect(result).not.toHaveProperty("destinations");
  });

  it("unless the operator has accepted that, commands there have none", async () => {
    const { launcher, through, policy, folder } = world();
    const careful = await createSandbox({ launcher, through, acceptOpen: true });
    expect(careful.probe.egress).toBe("none");
    expect(careful.probe.residual.join("\n")).not.toMatch(/With network egress/);
    await using server = await listen(hello());
    const request = {
      policy: policy("unrestricted", "egress"),
      argv: ["/bin/bash", "-c", `curl -sS --noproxy '*' http://${OPEN}:${server.port}/ 2>&1; echo end`],
      env: ENV,
      timeoutMs: 120_000,
      keep: { head: 4096, tail: 0 },
    };
    const ran = await careful.run(request);
    expect([textOf(ran).includes("hello"), textOf(ran).includes("end"), server.count()]).toEqual([
      false,
      true,
      0,
    ]);
    const started = await careful.start({ ...request, outputFile: `${folder}/work/out` });
    if ("kind" in started) throw new Error(started.reason);
    await started.done;
    expect([readFileSync(`${folder}/work/out`, "utf8").includes("hello"), server.count()]).toEqual([
      false,
      0,
    ]);
    await careful.close();
  });
});
