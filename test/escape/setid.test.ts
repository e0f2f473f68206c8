/** hazard K5, 36: programs that would give more rights, and files that would give them to others. */

import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeArena, PROFILES, said } from "./arena/arena.ts";

/** Set-id programs and programs with capabilities that this machine has. */
const setIdPrograms = (): readonly string[] =>
  execFileSync("/usr/bin/find", ["/usr/bin", "/usr/sbin", "-perm", "/6000", "-type", "f"])
    .toString()
    .trim()
    .split("\n");

describeArena((arena) => {
  for (const profile of PROFILES) {
    it(`36 ${profile}: no capability, no new privilege, no other uid, whatever is run`, async () => {
      const script = `python3 - <<'END'
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
class H(ctypes.Structure): _fields_ = [("v", ctypes.c_uint32), ("p", ctypes.c_int)]
caps = (ctypes.c_uint32 * 6)()
libc.capget(ctypes.byref(H(0x20080522, 0)), caps)
bounding = [c for c in range(41) if libc.prctl(23, c, 0, 0, 0) == 1]
print("capabilities", sum(caps), "no new privileges", libc.prctl(39, 0, 0, 0, 0))
for call in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]), lambda: os.setresuid(0, 0, 0)):
  try: call(); print("changed" if os.getuid() == 0 or 0 in os.getgroups() else "kept")
  except OSError: print("refused")
END`;
      const lines = said(await arena().shell(profile, script))
        .trim()
        .split("\n");
      expect(lines[0]).toBe("capabilities 0 no new privileges 1");
      expect(lines.slice(1)).not.toContain("changed");
    });

    it(`36 ${profile}: set-id programs of the host run as the command's own user`, async () => {
      const programs = setIdPrograms();
      expect(programs.length).toBeGreaterThan(2);
      const { shell } = arena();
      const text = said(
        await shell(
          profile,
          "for p in passwd mount newgrp chsh sudo pkexec crontab at; do echo | timeout 0.3 $p root 2>&1 | head -2; done; echo | timeout 0.3 su -c 'id -u; cat /etc/shadow' root; timeout 0.3 passwd -d root; mount -o remount,rw /; id -u",
        ),
      );
      expect(text).not.toMatch(/^root:/m);
      expect(text.trim().split("\n").at(-1)).not.toBe("0");
      expect(text).not.toMatch(/^0$/m);
    });
  }

  it("36 unrestricted: no file with set-id bits, by any call", async () => {
    const script = `cp /bin/true t; chmod u+s t; chmod 2755 t; install -m 4755 /bin/true i; python3 - <<'END'
import os
for make in (lambda: os.open("o", os.O_CREAT | os.O_WRONLY, 0o4755), lambda: os.mknod("n", 0o104755), lambda: os.fchmod(os.open("t", os.O_RDONLY), 0o6755), lambda: os.umask(0) or os.open("p", os.O_CREAT | os.O_RDWR, 0o2777)):
  try: make()
  except OSError: pass
END
      tar cf a.tar t; printf 'x' > y; rsync --chmod=u+s y z; true`;
    await arena().shell("unrestricted", script);
    const { work } = arena();
    const found = execFileSync("/usr/bin/find", [work, "-perm", "/6000"]).toString();
    expect(found).toBe("");
    expect(statSync(join(work, "t")).mode & 0o777).toBe(0o755);
  });

  it("36 twin: programs of the checkout run, and modes without those bits are kept", async () => {
    const script =
      "printf '#!/bin/sh\\necho ran\\n' > run.sh; chmod 750 run.sh; ./run.sh; stat -c %a run.sh; mkdir -m 1777 d; stat -c %a d";
    expect(said(await arena().shell("unrestricted", script))).toBe("ran\n750\n1777\n");
  });
});
