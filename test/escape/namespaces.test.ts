/** hazard K5, 29 and 30: no new rooms, no other rooms, no new mounts. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeArena, PROFILES, said } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";

describeArena((arena) => {
  for (const profile of PROFILES) {
    it(`29, 30 ${profile}: no call makes or enters a namespace, mounts, moves a root`, async ({ skip }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const mounts = readFileSync("/proc/self/mounts", "utf8");
      const attempts = await arena().attack(profile, "spaces");
      expect(attempts).toMatchObject({ through: [], whole: true });
      expect(attempts.refused.length).toBeGreaterThan(40);
      expect(readFileSync("/proc/self/mounts", "utf8")).toBe(mounts);
    });

    it(`29, 30 ${profile}: nor do the programs that people know`, async () => {
      const { shell, victim } = arena();
      const { pid } = await victim();
      const script = `unshare -Urm id && echo in; unshare -U true && echo in; unshare -n true && echo in; bwrap --ro-bind / / true && echo in; nsenter -t ${pid} -a true && echo in; nsenter -t 1 -m true && echo in
        mount -t tmpfs none /tmp && echo in; mount --bind / /tmp && echo in; umount -l /proc && echo in; chroot /tmp true && echo in; pivot_root . . && echo in; setpriv --reuid=0 true && echo in; true`;
      expect(said(await shell(profile, script))).not.toMatch(/^in$/m);
    });
  }

  it("29 twin: children, process groups and sessions can be made as ever", async () => {
    const script =
      "(exit 3); echo $?; setsid bash -c 'echo session'; bash -c 'set -m; (echo group) & wait' 2>/dev/null | head -1; python3 -c 'import os; print(os.waitpid(os.fork() or os._exit(7), 0)[1] >> 8)'";
    expect(said(await arena().shell("restricted", script))).toBe("3\nsession\ngroup\n7\n");
  });
});
