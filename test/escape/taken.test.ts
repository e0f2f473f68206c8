/** What a command could take from everybody: leases, news of directories, the machine's asynchronous I/O, descriptors that nobody counts. */

import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeArena, PROFILES, said } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";

/** So many processes with 4,000 open files each, and one that watches 5,000. */
const holding = (processes: number): string => `
import os, select, time
for n in range(${processes}):
  if os.fork() == 0:
    held = [os.dup(0) for i in range(4000)]
    time.sleep(15); os._exit(0)
r, w = os.pipe()
keys = [os.dup(r) for i in range(1000)]
for n in range(5):
  poll = select.epoll(); os.dup(poll.fileno())
  for key in keys: poll.register(key, 0)
time.sleep(0.6)
print("kept", flush=True)
os._exit(0)`;

/** Never more than 3,000 of epoll at once, each of them open for some milliseconds. */
const CHURNING = `
import os, select, time
r, w = os.pipe()
held, n, end = [None] * 3000, 0, time.monotonic() + 3
while time.monotonic() < end:
  for n in range(3000):
    held[n] = None
    held[n] = select.epoll(1)
    held[n].register(r, 0)
print("kept", flush=True)
os._exit(0)`;

describeArena((arena) => {
  for (const profile of PROFILES) {
    it(`${profile}: no lease on a shared file, so that nobody waits for a command, and no news of a directory`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const { plant, attack, seenWork, work } = arena();
      plant("leased.txt", "content\n");
      const attempts = await attack(profile, "leases", `${seenWork}/leased.txt`, seenWork);
      expect(attempts).toMatchObject({ through: [], whole: true });
      // Not what the file happens to answer: the refusal depends on nothing but the call.
      expect(attempts.refused.filter((line) => !/^(EPERM|EINVAL delegation)/.test(line))).toEqual([]);
      const opened = await open(join(work, "leased.txt"), "r+");
      await opened.close();
    });

    it(`${profile}: none of the machine's asynchronous I/O is taken`, async ({ skip }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const before = readFileSync("/proc/sys/fs/aio-nr", "utf8");
      const attempts = await arena().attack(profile, "machine");
      expect(attempts).toMatchObject({ through: [], whole: true });
      expect(attempts.refused.filter((line) => !line.startsWith("ENOSYS "))).toEqual([]);
      expect(readFileSync("/proc/sys/fs/aio-nr", "utf8")).toBe(before);
    });

    it(`${profile}: no ioctl but those that ordinary programs need`, async ({ skip }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const { plant, attack, seenWork } = arena();
      plant("target.txt", "content\n");
      const attempts = await attack(profile, "ioctls", `${seenWork}/target.txt`);
      expect(attempts).toMatchObject({ through: [], whole: true });
      expect(attempts.refused.filter((line) => !line.startsWith("ENOTTY "))).toEqual([]);
    });

    it(`${profile}: descriptors are where the census looks: in one table, and not under way`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      expect(await arena().attack(profile, "hiding")).toMatchObject({ through: [], whole: true });
    });
  }

  it("restricted: nothing is watched by inotify; who asks is told that there is none, and looks now and then", async ({
    skip,
  }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { plant, shell, attack, seenWork } = arena();
    const attempts = await attack("restricted", "watching", seenWork);
    expect(attempts).toMatchObject({ through: [], whole: true });
    expect(attempts.refused.filter((line) => !line.startsWith("ENOSYS "))).toEqual([]);
    plant("log.txt", "a line\n");
    expect(said(await shell("restricted", "timeout 1 tail -n 1 -f log.txt 2>/dev/null"))).toBe("a line\n");
  });

  it("twin: unrestricted watches its own checkout, as development servers do", async ({ skip }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { attack, seenWork } = arena();
    expect((await attack("unrestricted", "watching", seenWork)).refused).toEqual([]);
  });

  it("twin: outside the sandbox all of it goes through", async ({ skip }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { unconfined, env, host } = arena();
    expect((await unconfined("leases", env, host)).through).toContain("read lease");
    expect((await unconfined("machine")).through).toContain("io_setup");
    expect((await unconfined("hiding")).refused).toEqual([]);
  });

  it("twin: terminals, sizes, copies, locks and pipes are asked for as always", async () => {
    const script = `
import fcntl, os, socket, struct, tempfile, termios
r, w = os.pipe()
os.write(w, b"four")
print(struct.unpack("i", fcntl.ioctl(r, termios.FIONREAD, b"0000"))[0], os.isatty(1))
fcntl.ioctl(r, 0x5421, struct.pack("i", 1)); print(os.get_blocking(r))
a, b = socket.socketpair(); a.sendall(b"pair"); print(b.recv(9))
with tempfile.TemporaryFile() as f:
  fcntl.flock(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_EX); print(fcntl.fcntl(f, fcntl.F_GETFL) & 3)
  fcntl.fcntl(r, 1031, 65536); print(fcntl.fcntl(r, 1032))`;
    for (const profile of PROFILES)
      expect(
        said(await arena().shell(profile, `python3 -c '${script}'; cp /etc/hosts $TMPDIR/h && echo copied`)),
      ).toBe("4 False\nFalse\nb'pair'\n2\n65536\ncopied\n");
  });
});

/** Of the user's entries of epoll, far fewer than there are. */
const TAKEN = Math.min(1_000_000, Number(readFileSync("/proc/sys/fs/epoll/max_user_watches", "utf8")) / 4);

describeArena(
  (arena) => {
    // Where commands have a uid of their own, what a user may have is their own too.
    for (const processes of [0, 1, 4]) {
      it(`restricted: ${processes === 0 ? "a thread whose process seems dead" : `${processes} processes`} that fill epoll as fast as they can end long before the bot's user has none left`, async ({
        skip,
      }) => {
        if (noCompiler !== null) return skip(noCompiler);
        const { world, attackProgram } = arena();
        const result = await world.run(
          "restricted",
          [attackProgram, "watches", String(TAKEN), String(processes)],
          { policy: arena().policy("restricted") },
        );
        expect([said(result), result]).toEqual([
          expect.stringMatching(/^armed\n/),
          expect.objectContaining({ kind: "signalled", overran: "files" }),
        ]);
        expect((said(result).split("5000").length - 1) * 5000).toBeLessThan(TAKEN);
      });
    }

    it("restricted: open files of all its processes together are bounded; an honest number of both is kept", async () => {
      const honest = await arena().shell("restricted", `python3 -c '${holding(2)}'`);
      expect([said(honest), honest]).toEqual(["kept\n", expect.objectContaining({ kind: "exited" })]);
      expect(await arena().shell("restricted", `python3 -c '${holding(5)}'; sleep 15`)).toMatchObject({
        kind: "signalled",
        overran: "files",
      });
    });

    it("restricted: descriptors that are closed while they are counted are not held against a command", async () => {
      const honest = await arena().shell("restricted", `python3 -c '${CHURNING}'`);
      expect([said(honest), honest]).toEqual(["kept\n", expect.objectContaining({ kind: "exited" })]);
    });
  },
  ["T1", "T2"],
);
