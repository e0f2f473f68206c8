/** hazard K5, 34 and 37: raw disks, memory, and devices made by oneself. */

import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { describeArena, PROFILES, said } from "./arena/arena.ts";

describeArena((arena) => {
  for (const profile of PROFILES) {
    it(`34 ${profile}: no device of the host opens but the five harmless ones`, async () => {
      const devices = readdirSync("/dev").filter(
        (name) =>
          ![
            "null",
            "zero",
            "full",
            "random",
            "urandom",
            "fd",
            "stdin",
            "stdout",
            "stderr",
            "shm",
            "tty",
            "core",
          ].includes(name),
      );
      expect(devices.length).toBeGreaterThan(3);
      const script = `for name in ${devices.join(" ")} mem kmem port kmsg kvm fuse vda sda net/tun loop-control mapper/control; do
        (exec 3< /dev/$name) 2>/dev/null && echo read $name; (exec 3> /dev/$name) 2>/dev/null && echo write $name; done; true`;
      expect(said(await arena().shell(profile, script))).toBe("");
    });

    it(`37 ${profile}: no device can be made, in the checkout or in tmp, and none that lies there opens`, async () => {
      const script =
        "for d in . $TMPDIR; do mknod $d/block b 8 0 && echo made; mknod $d/char c 1 1 && echo made; python3 -c 'import os, sys; os.mknod(sys.argv[1], 0o20666, os.makedev(1, 5)); print(\"made\")' $d/zero; done 2>/dev/null; true";
      expect(said(await arena().shell(profile, script))).toBe("");
      expect(readdirSync(arena().work).filter((name) => ["block", "char", "zero"].includes(name))).toEqual(
        [],
      );
    });
  }

  it("34 twin: null, zero, full, random and urandom are there", async () => {
    const script =
      "echo x > /dev/null && head -c 4 /dev/zero | wc -c && head -c 4 /dev/urandom | wc -c && head -c 4 /dev/random | wc -c; echo x > /dev/full || echo full";
    expect(said(await arena().shell("restricted", script))).toMatch(/^4\n4\n4\n[^]*full\n$/);
  });
});
