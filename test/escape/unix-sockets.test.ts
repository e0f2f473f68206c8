/** hazard K5, 24 to 26: control sockets of the bot and of the host's services. */

import { afterAll, beforeAll, expect, it } from "vitest";
import type { SandboxPolicy } from "../../sandbox/types.ts";
import { type Arena, describeArena, said } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";
import { type Listener, openListener } from "./arena/listener.ts";

let listener: Listener;
beforeAll(async () => {
  if (noCompiler === null) listener = await openListener();
});
afterAll(() => listener?.close());

const target = (): readonly string[] => [
  ...["stream", "datagram", "packets"].map((name) => `${listener.folder}/${name}`),
  `@${listener.abstract}`,
];

const leaked = async (arena: Arena): Promise<number> => {
  const own = await arena.unconfined("local", ...target());
  expect(own.through).toEqual(expect.arrayContaining(["stream connect", "datagram pair sendmsg"]));
  return listener.surplus(own, /^datagram.* connect$/);
};

const POLICIES: readonly (readonly [string, "restricted" | "unrestricted", SandboxPolicy["network"]])[] = [
  ["restricted", "restricted", "none"],
  ["unrestricted without network", "unrestricted", "none"],
  ["unrestricted with egress", "unrestricted", "egress"],
];

describeArena((arena) => {
  for (const [name, profile, network] of POLICIES) {
    it(`24 to 26 ${name}: no unix socket of the host is reached, even where its path is mounted`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const { world, policy, attackProgram } = arena();
      const base = policy(profile, { network });
      const result = await world.run(profile, [attackProgram, "local", ...target()], {
        policy: {
          ...base,
          mounts: [...base.mounts, { source: listener.folder, target: listener.folder, write: false }],
        },
      });
      expect(said(result)).toMatch(/end\n$/);
      expect(said(result)).not.toContain("through");
      expect(await leaked(arena())).toBe(0);
    });
  }

  it("24 to 26 twin: outside the sandbox the same calls arrive", async ({ skip }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const own = await arena().unconfined("local", ...target());
    expect(own.through).toEqual(
      expect.arrayContaining([
        "stream connect",
        "packets connect",
        "datagram sendto",
        "datagram pair sendmsg",
        "abstract stream connect",
      ]),
    );
    expect(await listener.surplus(own, /^datagram.* connect$/)).toBe(0);
  });

  it("24 the services of a usual host are not there: docker, systemd, D-Bus, syslog, ssh agents", async () => {
    const script =
      "for s in /var/run/docker.sock /run/docker.sock /run/containerd/containerd.sock /run/systemd/private /run/systemd/notify /run/dbus/system_bus_socket /dev/log /run/systemd/journal/socket /tmp/.X11-unix/X0 /tmp/ssh-*/agent.*; do [ -S $s ] && python3 -c \"import socket; socket.socket(1, 1).connect('$s')\" && echo reached $s; done; systemd-run --user id; logger x; docker ps; echo end";
    for (const profile of ["restricted", "unrestricted"] as const) {
      const text = said(await arena().shell(profile, script));
      expect(text).not.toContain("reached");
      expect(text).toMatch(/end\n$/);
    }
  });
});
