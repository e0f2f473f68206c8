/** hazard K5, 20 to 23 and 51: a byte or a connection that arrives at the host is a leak. */

import { afterAll, beforeAll, expect, it } from "vitest";
import { noCompiler } from "./arena/attack.ts";
import { type Arena, describeArena, PROFILES, said } from "./arena/arena.ts";
import { type Listener, openListener } from "./arena/listener.ts";

let listener: Listener;
beforeAll(async () => {
  if (noCompiler === null) listener = await openListener();
});
afterAll(() => listener?.close());

const ports = (): readonly [string, string] => [listener.tcp, listener.udp];

const leaked = async ({ unconfined }: Arena): Promise<number> => {
  const own = await unconfined("network", ...ports());
  expect(own.through).toEqual(
    expect.arrayContaining(["tcp connect", "fast open by sendto", "fast open by sendmmsg", "udp sendto"]),
  );
  return listener.surplus(own, /^(bind|listen)$/);
};

describeArena((arena) => {
  for (const profile of PROFILES) {
    it(`20 to 22 ${profile} without network: no call of any kind sends, connects or listens`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const attempts = await arena().attack(profile, "network", ...ports());
      expect(attempts).toMatchObject({ through: [], whole: true });
      expect(attempts.refused.length).toBe(12);
      expect(await leaked(arena())).toBe(0);
    });

    it(`23 ${profile} without network: there is no socket of any family, type or protocol`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      expect(await arena().attack(profile, "families")).toMatchObject({ through: [], whole: true });
    });

    it(`20, 51 ${profile} without network: programs that people know reach nothing`, async ({ skip }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const [tcp, udp] = ports();
      const script = `exec 3<>/dev/tcp/127.0.0.1/${tcp}; echo x > /dev/udp/127.0.0.1/${udp}; curl -m 2 -s http://127.0.0.1:${tcp}/; curl -m 2 -s http://169.254.169.254/latest/
        python3 -c 'import socket; socket.create_connection(("127.0.0.1", ${tcp}), 2)'; python3 -c 'import socket; socket.socket(2, 2).sendto(b"x", ("127.0.0.1", ${udp}))'
        getent hosts example.org; ping -c 1 127.0.0.1; git ls-remote http://127.0.0.1:${tcp}/x; ssh -oBatchMode=yes -p ${tcp} 127.0.0.1 true; echo end`;
      const text = said(await arena().shell(profile, script));
      expect(text).toMatch(/not permitted|denied|unreachable/);
      expect(text).toMatch(/end\n$/);
      expect(await leaked(arena())).toBe(0);
    });
  }

  it("20 to 22 twin: outside the sandbox the same calls arrive", async ({ skip }) => {
    if (noCompiler !== null) return skip(noCompiler);
    expect(await leaked(arena())).toBe(0);
  });

  it("21 to 23 with egress: still no multipath, fast open, raw or exotic socket", async ({ skip }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { world, policy, attackProgram } = arena();
    const run = (...words: readonly string[]) =>
      world.run("unrestricted", [attackProgram, ...words], {
        policy: policy("unrestricted", { network: "egress" }),
      });
    const sockets = said(await run("families"));
    expect(sockets).toMatch(/end\n$/);
    expect(sockets).not.toContain("through");
    const sent = said(await run("network", ...ports()));
    for (const way of [
      "multipath tcp",
      "fast open by sendto",
      "fast open by sendmsg",
      "fast open by sendmmsg",
      "fast open by option",
    ])
      expect(sent).toMatch(new RegExp(`^E[A-Z]+ ${way}$`, "m"));
    await leaked(arena()); // plain TCP and UDP may have arrived: that is what the next test is about
  });

  it("51 with egress: the bot's own ports and cloud metadata are out of reach, or the page says so", async ({
    skip,
  }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { world, policy } = arena();
    const shared = world.sandbox.probe.residual.some((leak) => /shares? the host's network/.test(leak));
    if (shared) return skip("egress shares the host's network here: a residual leak that the probe prints");
    await leaked(arena());
    const [tcp] = ports();
    const script = `exec 3<>/dev/tcp/127.0.0.1/${tcp} && echo reached; for proxy in "$http_proxy" ""; do curl -x "$proxy" -m 3 -so /dev/null -w '%{http_code}\\n' http://127.0.0.1:${tcp}/; curl -x "$proxy" -m 3 -so /dev/null -w '%{http_code}\\n' http://169.254.169.254/; done`;
    const result = await world.run("unrestricted", ["/bin/bash", "-c", script], {
      policy: policy("unrestricted", { network: "egress" }),
    });
    expect(said(result)).not.toContain("reached\n");
    expect(said(result)).not.toMatch(/^200$/m);
    expect(await leaked(arena())).toBe(0);
  });

  it("20 twin: pipes, process substitution and pairs of sockets work without network", async () => {
    const script = `cat <(echo one) | tee >(cat) > /dev/null | cat; python3 -c '
import socket, subprocess
a, b = socket.socketpair(); a.send(b"two"); print(b.recv(9).decode())
print(subprocess.run(["echo", "three"], capture_output=True).stdout.decode().strip())'`;
    expect(said(await arena().shell("restricted", script))).toBe("one\ntwo\nthree\n");
  });
});
