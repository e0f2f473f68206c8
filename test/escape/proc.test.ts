/** hazard K5, 12 to 15, 19 and 35: other processes through /proc and by system call. */

import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createSandbox } from "../../sandbox/server.ts";
import { CANARY, describeArena, PROFILES, said } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";
import { standing } from "./arena/traces.ts";

describeArena((arena) => {
  for (const profile of PROFILES) {
    it(`12 ${profile}: environment, memory, directories and descriptors of the bot's processes are closed`, async () => {
      const { pid } = await arena().victim();
      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toContain(CANARY);
      const script = `
        for p in ${pid} ${process.pid} $PPID 1; do
          cat /proc/$p/environ /proc/$p/task/*/environ; strings /proc/$p/mem; cat /proc/$p/maps /proc/$p/auxv
          readlink /proc/$p/exe /proc/$p/cwd /proc/$p/root /proc/$p/ns/mnt; ls -l /proc/$p/fd; cat /proc/$p/fd/*; cat /proc/$p/cwd/package.json; ls /proc/$p/root/root
        done; cat /proc/[0-9]*/environ | tr '\\0' '\\n'`;
      const text = said(await arena().shell(profile, script));
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain('"parley"');
      expect(text).not.toContain(process.cwd());
    });

    it(`13 ${profile}: no process of the host is in /proc, none of its arguments`, async () => {
      const script = "for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $f; echo; done; ps -eo args";
      const text = said(await arena().shell(profile, script));
      expect(text).not.toMatch(/vitest|node |setpriv/);
      if (arena().world.sandbox.probe.mounts) expect(text).toContain("/bin/bash");
    });

    it(`14 ${profile}: the environment is what was given, and nothing else`, async () => {
      process.env["ESCAPE_SECRET"] = CANARY;
      const text = said(
        await arena().shell(profile, "env | cut -d= -f1 | sort; declare -p; cat /proc/self/environ"),
      );
      delete process.env["ESCAPE_SECRET"];
      expect(text).not.toContain(CANARY);
      const names = text.slice(0, text.indexOf("declare")).trim().split("\n");
      expect(names.toSorted()).toEqual(["HOME", "LANG", "PATH", "PWD", "SHLVL", "TMPDIR", "_"].toSorted());
    });

    it(`15 ${profile}: only 0, 1 and 2 are open, and 0 is empty`, async () => {
      const script =
        "import os; print([fd for fd in range(4096) if os.path.exists(f'/proc/self/fd/{fd}')] if os.path.isdir('/proc/self/fd') else []); import fcntl\nopen_ = []\nfor fd in range(4096):\n  try: fcntl.fcntl(fd, fcntl.F_GETFD); open_.append(fd)\n  except OSError: pass\nprint(open_, repr(os.read(0, 10)))";
      const text = said(await arena().shell(profile, `exec python3 -c "${script}"`));
      expect(text.split("\n")[1]).toBe("[0, 1, 2] b''");
    });

    it(`19 ${profile}: no call reads or changes the memory of the bot's processes, or takes their descriptors`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const { attack, victim } = arena();
      const { pid } = await victim();
      const before = standing(pid);
      const attempts = await attack(profile, "spying", String(pid));
      expect(attempts).toMatchObject({ through: [], whole: true });
      expect(standing(pid)).toBe(before);
    });
  }

  it("15 what the bot itself inherited stays its own", async () => {
    const { env, options, policy } = arena();
    // Opened by a program before it becomes the tier's user, as a service manager's sockets are.
    const opened = ["/bin/sh", "-c", `exec 8<${env} 9<${env}; exec "$@"`, "sh", ...(options.through ?? [])];
    const sandbox = await createSandbox({ ...options, through: opened });
    for (const profile of PROFILES) {
      const result = await sandbox.run({
        policy: policy(profile),
        argv: ["/bin/bash", "-c", "cat <&9; cat /proc/self/fd/8 /dev/fd/9; true <&8 && echo open; echo over"],
        env: { PATH: "/usr/bin:/bin" },
        timeoutMs: 120_000,
        keep: { head: 4096, tail: 0 },
      });
      expect(said(result)).toMatch(/over\n$/);
      expect(said(result)).not.toContain(CANARY);
      expect(said(result)).not.toMatch(/^open$/m);
    }
    await sandbox.close();
  });

  it("19 twin: outside the sandbox those calls do reach the process", async ({ skip }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { unconfined, victim } = arena();
    const { through } = await unconfined("spying", String((await victim()).pid));
    expect(through).toEqual(
      expect.arrayContaining(["ptrace seize", "kcmp", "environ", "maps", "cwd", "cmdline"]),
    );
  });

  it("35 nothing in /proc or /sys can be written", async () => {
    const core = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
    const paths = [
      "/proc/sys/kernel/core_pattern",
      "/proc/sys/kernel/modprobe",
      "/proc/sys/vm/drop_caches",
      "/proc/sys/kernel/ns_last_pid",
      "/proc/sysrq-trigger",
      "/proc/self/oom_score_adj",
      "/proc/self/uid_map",
      "/proc/self/setgroups",
      "/proc/self/mem",
      "/proc/self/comm",
      "/proc/self/loginuid",
      "/proc/self/attr/current",
      "/proc/self/coredump_filter",
      "/sys/kernel/uevent_helper",
      "/sys/fs/cgroup/cgroup.procs",
      "/sys/fs/cgroup/pids/cgroup.procs",
      "/sys/fs/cgroup/memory/cgroup.procs",
      "/sys/fs/cgroup/memory/release_agent",
      "/sys/fs/cgroup/unified/cgroup.procs",
      "/sys/power/state",
    ];
    for (const profile of PROFILES) {
      const script = `for f in ${paths.join(" ")}; do (echo 1 > $f) 2>/dev/null && echo "wrote $f"; (: >> $f) 2>/dev/null && echo "opened $f"; done; mkdir /sys/fs/cgroup/pids/escape /sys/fs/cgroup/unified/escape 2>/dev/null && echo made; true`;
      expect(said(await arena().shell(profile, script))).toBe("");
    }
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(core);
    expect(existsSync("/sys/fs/cgroup/pids/escape")).toBe(false);
  });

  it("35 kernel addresses and logs are closed", async () => {
    const script = `cat /proc/kallsyms /proc/iomem | awk '$1 !~ /^[0-]+$/' | head -1
      cat /proc/kmsg /proc/kcore /proc/kpagecount /proc/vmallocinfo /proc/timer_list 2>/dev/null | head -c 300 | wc -c; dmesg 2>&1 | grep -v 'not permitted'`;
    expect(
      said(await arena().shell("unrestricted", script))
        .trim()
        .split("\n")
        .at(-1),
    ).toBe("0");
  });

  it("12 twin: a command reads its own /proc where it has one, and its own children everywhere", async () => {
    const { shell, world } = arena();
    expect(said(await shell("restricted", "sleep 5 & kill -0 $! && kill $! && echo mine"))).toBe("mine\n");
    if (!world.sandbox.probe.mounts) return;
    expect(said(await shell("restricted", "head -1 /proc/self/status; ps -eo pid= | wc -l"))).toMatch(
      /^Name:\s+head\n\s*\d\n$/,
    );
  });
});
