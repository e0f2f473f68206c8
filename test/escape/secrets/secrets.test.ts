/** hazard K5, 6 to 9: what may be read, in either permission. */

import {
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Arena, CANARY, describeArena, PROFILES, said } from "../arena/arena.ts";
import { noCompiler } from "../arena/attack.ts";

/** Every way of a shell to the content of a path. */
const waysTo = (path: string): string => `
  cat '${path}'; head -c 99 < '${path}'; grep -a . '${path}'; cp '${path}' $TMPDIR/copy && cat $TMPDIR/copy
  cat '/proc/self/root${path}'; cat '/proc/1/root${path}'; cat "/proc/$PPID/root${path}"; cat "/proc/self/cwd/../../../../..${path}"
  (cd '${path.replace(/\/[^/]*$/, "")}' && cat '${path.replace(/.*\//, "")}')
  ln -sf '${path}' $TMPDIR/soft && cat $TMPDIR/soft
  dd if='${path}' status=none; tar cf - '${path}' | strings; mapfile -t lines < '${path}'; echo "\${lines[@]}"; . '${path}'; echo "$KEY"
  git diff --no-index /dev/null '${path}'; sort '${path}'; find '${path}' -exec cat {} +; python3 -c 'print(open("${path}").read())'
  (exec 9<'${path}' && cat <&9); base64 '${path}' | base64 -d; ls -la '${path.replace(/\/[^/]*$/, "")}'`;

const ATTACKS: readonly {
  readonly name: string;
  readonly paths: (arena: Arena) => readonly string[];
}[] = [
  { name: "6 the bot's .env", paths: ({ env }) => [env] },
  { name: "7 the database and its log", paths: ({ database }) => [database, `${database}-wal`] },
  { name: "7 the console's token", paths: ({ token }) => [token] },
  { name: "8 another conversation's files", paths: ({ other }) => [other] },
];

describeArena((arena) => {
  for (const { name, paths } of ATTACKS) {
    for (const profile of PROFILES) {
      it(`${name}: ${profile}, by no way of a shell`, async () => {
        for (const path of paths(arena())) {
          const text = said(await arena().shell(profile, waysTo(path)));
          expect(text).not.toContain(CANARY);
          expect(text).not.toMatch(/^total \d/m);
        }
      });
    }
  }

  it("6 twin: all of those ways lead to a file of the checkout", async () => {
    const { plant, seenWork, shell } = arena();
    plant("mine.txt", "KEY=my-own-file\n");
    const text = said(await shell("restricted", waysTo(`${seenWork}/mine.txt`)));
    expect(text.split("my-own-file").length - 1).toBeGreaterThanOrEqual(14);
  });

  it("6 a program that lies in memory, named by no rule, reads and writes no more than its command", async ({
    skip,
  }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { env, other, seenWork, plant, attack } = arena();
    plant("mine.txt", "my-own-file\n");
    for (const profile of PROFILES) {
      for (const path of [env, other])
        expect(await attack(profile, "unnamed", path)).toMatchObject({ through: [], whole: true });
      const { through } = await attack(profile, "unnamed", `${seenWork}/mine.txt`);
      expect(through.filter((name) => name.startsWith("read"))).toEqual(["read by a program in memory"]);
    }
  });

  it("6 a directory that the host moves away while a command stands in it leads to nothing beside it", async () => {
    const { world, work, token, policy } = arena();
    const script = `cd sub && cat ../real.txt && echo ready
      for i in $(seq 40); do cat ../console-token ../parley.sqlite ../../.env ../threads/other/work/private.txt; ls -a .. ../..; sleep 0.005; done; echo over`;
    for (const profile of PROFILES) {
      mkdirSync(join(work, "sub"));
      arena().plant("real.txt", "inside\n");
      const { uid, gid } = statSync(work);
      chownSync(join(work, "sub"), uid, gid);
      const moved = join(token, "../moved");
      const result = await world.sandbox.run(
        {
          policy: policy(profile),
          argv: ["/bin/bash", "-c", script],
          env: { PATH: "/usr/bin:/bin" },
          timeoutMs: 120_000,
          keep: { head: 64 * 1024, tail: 1024 },
        },
        { onOutput: () => void (existsSync(moved) || renameSync(join(work, "sub"), moved)) },
      );
      expect(existsSync(moved)).toBe(true);
      rmSync(moved, { recursive: true });
      expect(said(result)).toMatch(/^inside\nready\n[^]*over\n$/);
      expect(said(result)).not.toContain(CANARY);
      expect(said(result)).not.toMatch(/^(console-token|parley\.sqlite|threads|data)$/m);
    }
  });

  it("6 going up from the checkout shows no directory of the bot", async () => {
    for (const profile of PROFILES) {
      const text = said(
        await arena().shell(
          profile,
          "for up in .. ../.. ../../.. ../../../.. ../../../../..; do ls -a $up; cat $up/.env $up/console-token $up/parley.sqlite; done; find / -maxdepth 5 -name '*.sqlite' -o -maxdepth 5 -name .env -o -maxdepth 5 -name console-token 2>/dev/null",
        ),
      );
      expect(text).not.toContain(CANARY);
      expect(text).not.toMatch(/^(threads|parley\.sqlite|\.env|other)$/m);
    }
  });

  it("8 the list of conversations is closed", async () => {
    const { other, shell } = arena();
    for (const profile of PROFILES) {
      const text = said(
        await shell(
          profile,
          `ls ${join(other, "../../..")}; echo ${join(other, "../../..")}/*; ls ${join(other, "..")}`,
        ),
      );
      expect(text).not.toMatch(/^(mine|other|private\.txt)$/m);
      expect(text).not.toContain("threads/other\n");
    }
  });

  it("9 a link in the checkout, made by somebody else, shows nothing beyond it; one that stays inside works", async () => {
    const { work, env, other, plant, shell } = arena();
    plant("real.txt", "inside\n");
    for (const [name, target] of Object.entries({
      far: env,
      up: "../../../../.env",
      friend: other,
      near: "real.txt",
    })) {
      symlinkSync(target, join(work, name));
      const { uid, gid } = lstatSync(work);
      lchownSync(join(work, name), uid, gid);
    }
    for (const profile of PROFILES) {
      const text = said(
        await arena().shell(
          profile,
          "cat far up friend near; cat < far; tar chf - far up friend | strings; cp -rL . $TMPDIR/all; cat $TMPDIR/all/*",
        ),
      );
      expect(text).not.toContain(CANARY);
      expect(text).toContain("inside\n");
    }
    expect(said(await shell("restricted", "cat near"))).toBe("inside\n");
  });

  it("6 the system's own secrets and other people's homes stay closed", async () => {
    for (const profile of PROFILES) {
      const text = said(
        await arena().shell(
          profile,
          "cat /etc/shadow /etc/gshadow /etc/sudoers /etc/ssh/ssh_host_*_key /root/.bashrc /root/.ssh/* /var/lib/dpkg/status /var/log/dpkg.log /boot/* | wc -c; ls /root /home /var/log /boot /srv /opt 2>&1 | grep -vE 'cannot|denied|:$' | wc -l",
        ),
      );
      expect(text.split("\n").filter((line) => /^\d+$/.test(line))[0]).toBe("0");
    }
  });
});
