/** hazard K5, 1 to 3, 10 and 52: who may change a file. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeArena, said } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";
import { fingerprint } from "./arena/traces.ts";

describeArena((arena) => {
  it("1 restricted: nothing is made in the checkout, in /tmp or in /dev/shm of the host", async () => {
    const { work, shell } = arena();
    const before = fingerprint(work);
    const name = `escape-${process.pid}`;
    const result = await shell(
      "restricted",
      `echo x > ${name}; echo x > $PWD/${name}; echo x > /tmp/${name}; echo x > /dev/shm/${name}; echo x > /var/tmp/${name}; echo x > /${name}; echo x > /run/${name}; echo x > /etc/${name}; echo x > /home/${name}`,
    );
    expect(fingerprint(work)).toEqual(before);
    for (const folder of ["/tmp", "/dev/shm", "/var/tmp", "/", "/run", "/etc", "/home"])
      expect(existsSync(join(folder, name))).toBe(false);
    expect(said(result)).toMatch(/Permission denied|Read-only file system/);
  });

  it("1 twin: restricted writes its own tmp, and unrestricted its checkout", async () => {
    const { shell, work } = arena();
    expect(said(await shell("restricted", "echo x > $TMPDIR/f && cat $TMPDIR/f"))).toBe("x\n");
    expect(said(await shell("unrestricted", "echo x > f && echo y > $PWD/g && cat f g"))).toBe("x\ny\n");
    expect(readFileSync(join(work, "g"), "utf8")).toBe("y\n");
  });

  it("2, 3 restricted: no call changes a file or a name of the checkout", async ({ skip }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { plant, work, seenWork, attack } = arena();
    plant("target.txt", "content\n", 0o666);
    const before = fingerprint(work);
    const attempts = await attack("restricted", "write", `${seenWork}/target.txt`, seenWork);
    expect(attempts).toMatchObject({ through: [], whole: true });
    expect(fingerprint(work)).toEqual(before);
  });

  it("2, 3 twin: the same calls change a file of the command's own tmp", async ({ skip }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { shell, attackProgram } = arena();
    const script = `mkdir $TMPDIR/d; echo content > $TMPDIR/d/f; ${attackProgram} write $TMPDIR/d/f $TMPDIR/d; cat $TMPDIR/d/made-10`;
    const text = said(await shell("restricted", script));
    for (const call of [
      "open for writing",
      "truncate",
      "create",
      "mkdir",
      "symlink",
      "link within",
      "rename within",
    ])
      expect(text).toContain(`through ${call}\n`);
  });

  it("1 to 3 unrestricted: nothing outside the checkout and the home is changed, readable or not", async ({
    skip,
  }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { host, env, database, token, other, attack, apart } = arena();
    const before = fingerprint(host);
    for (const file of [env, database, token, other]) {
      const attempts = await attack("unrestricted", "write", file, join(file, ".."));
      expect(attempts).toMatchObject({ through: [], whole: true });
    }
    expect(fingerprint(host)).toEqual(before);
    if (apart) expect((await attack("unrestricted", "write", "/etc/passwd", "/etc")).through).toEqual([]);
  });

  it("9, 10 unrestricted: a link is no way out, neither symbolic nor hard", async () => {
    const { env, other, shell, host, work } = arena();
    const before = { env: fingerprint(env), other: fingerprint(other) };
    const script = [env, other]
      .map(
        (path, i) =>
          `ln -s ${path} soft${i}; ln ${path} hard${i}; ln -L soft${i} hard${i}; cat soft${i}; echo x > soft${i}; mv ${path} moved${i}; cp --reflink=always ${path} copy${i}; cp -al ${path} tree${i}`,
      )
      .join("; ");
    const text = said(await shell("unrestricted", script));
    expect(text).not.toContain("canary");
    expect({ env: fingerprint(env), other: fingerprint(other) }).toEqual(before);
    expect(readdirSync(work).filter((name) => /^(hard|moved|copy|tree)\d/.test(name))).toEqual([]);
    expect(readdirSync(host).toSorted()).toEqual([".env", "data"]);
  });

  it("52 unrestricted: renames across directories, hard links and special names work in the checkout", async () => {
    const script =
      "mkdir -p a/b c && echo x > a/b/f && mv a/b/f c/f && ln c/f c/g && ln -s f c/h && mkfifo c/p && mv a d && rmdir d/b && cat c/h && stat -c %h c/f";
    expect(said(await arena().shell("unrestricted", script))).toBe("x\n2\n");
  });
});
