/** hazard K5, 4, 5, 11 and 33: modes, owners, times, attributes, and what can be learned without reading. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeArena, said } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";
import { fingerprint } from "./arena/traces.ts";

describeArena((arena) => {
  it("4, 5 restricted: no call changes mode, owner, times, attributes or flags of a readable file", async ({
    skip,
  }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { plant, seenWork, work, attack } = arena();
    plant("target.txt", "content\n");
    const before = fingerprint(work);
    expect(await attack("restricted", "metadata", `${seenWork}/target.txt`)).toMatchObject({
      through: [],
      whole: true,
    });
    expect(fingerprint(work)).toEqual(before);
  });

  it("4 restricted: neither do the programs that people know", async () => {
    const { plant, work, shell } = arena();
    plant("target.txt", "content\n");
    const before = fingerprint(work);
    const text = said(
      await shell(
        "restricted",
        'chmod 777 target.txt; chown $(id -u) target.txt; touch -d yesterday target.txt; chattr +d target.txt; python3 -c \'import os; os.setxattr("target.txt", "user.x", b"1")\'; chmod -R a+rwx .',
      ),
    );
    expect(fingerprint(work)).toEqual(before);
    expect(text.match(/not permitted|Read-only|Permission denied/g)?.length).toBeGreaterThanOrEqual(5);
  });

  it("4 restricted: nor on secrets, not even where the bot's own user owns them", async ({ skip }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { host, env, other, database, attack } = arena();
    const before = fingerprint(host);
    for (const path of [env, other, database]) {
      expect(await attack("restricted", "metadata", path)).toMatchObject({ through: [], whole: true });
    }
    expect(fingerprint(host)).toEqual(before);
  });

  it("4 unrestricted: nor where commands are somebody else; at T2 the page says that they do", async ({
    skip,
  }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { host, env, other, attack, apart, world } = arena();
    const before = fingerprint(host);
    const through = [
      ...(await attack("unrestricted", "metadata", env)).through,
      ...(await attack("unrestricted", "metadata", other)).through,
    ];
    if (apart) {
      expect(through).toEqual([]);
      expect(fingerprint(host)).toEqual(before);
    } else {
      expect(world.sandbox.probe.residual.join("\n")).toContain("may change mode and times of any file");
    }
  });

  it("4 twin: unrestricted changes mode and times of its own files, as tar, cp and touch must", async () => {
    const script = `mkdir -p a && echo x > a/f && chmod 640 a/f && touch -d 2001-02-03 a/f && tar cf t.tar a && rm -r a
      tar xf t.tar && cp -p a/f g && stat -c '%a %y' a/f g | cut -c 1-14 && python3 -c 'import os; os.setxattr("g", "user.x", b"1"); print(os.getxattr("g", "user.x"))'`;
    expect(said(await arena().shell("unrestricted", script))).toBe("640 2001-02-03\n640 2001-02-03\nb'1'\n");
  });

  it("11 the way to a secret cannot be walked where commands have a root of their own", async () => {
    const { host, env, shell, world } = arena();
    const text = said(
      await shell(
        "unrestricted",
        `cd ${host} && echo entered; stat -c found ${env}; ls ${host}; test -e ${env} && echo there`,
      ),
    );
    expect(text).not.toContain(".env\n");
    if (world.sandbox.probe.mounts) expect(text).not.toMatch(/^(entered|found|there)$/m);
    else expect(world.sandbox.probe.residual.join("\n")).toContain("can be looked up (stat)");
  });

  it("33 what happens in another conversation's directory cannot be watched", async () => {
    const { world, other, host, shell, seenWork } = arena();
    const folder = join(other, "..");
    const watch = (path: string): string => `
import ctypes, os, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
fd = libc.inotify_init1(os.O_NONBLOCK)
watched = [libc.inotify_add_watch(fd, p.encode(), 0xfff) for p in ${JSON.stringify([path, `${host}/data`, "/tmp"])}]
print("watching", flush=True)
for _ in range(60):
  try:
    events = os.read(fd, 4096)
    if b"secret-name" in events: print("saw it"); break
  except BlockingIOError: time.sleep(0.005)
`;
    for (const profile of ["restricted", "unrestricted"] as const) {
      const started = Promise.withResolvers<void>();
      const ran = world.sandbox.run(
        {
          policy: arena().policy(profile),
          argv: ["/usr/bin/python3", "-c", watch(folder)],
          env: { PATH: "/usr/bin:/bin" },
          timeoutMs: 120_000,
          keep: { head: 4096, tail: 0 },
        },
        { onOutput: () => started.resolve() },
      );
      await Promise.race([started.promise, ran]);
      const names = [join(folder, "secret-name-one"), `/tmp/secret-name-${process.pid}`];
      for (const name of names) writeFileSync(name, "");
      for (const name of names) rmSync(name);
      const watched = said(await ran);
      if (profile === "restricted") expect(watched).not.toContain("saw it");
      else if (world.sandbox.probe.mounts) expect(watched).toBe("watching\n");
      else expect(world.sandbox.probe.residual.join("\n")).toContain("can watch (inotify) directories");
    }
    // The twin: in its own checkout a command may watch, as development servers do.
    mkdirSync(join(arena().work, "watched"), { recursive: true });
    const own = `import ctypes; print(ctypes.CDLL(None).inotify_add_watch(ctypes.CDLL(None).inotify_init1(0), b"${seenWork}", 0xfff) > 0)`;
    expect(said(await shell("unrestricted", `python3 -c '${own}'`))).toBe("True\n");
  });
});
