/** hazard K5, 38: a terminal of the host takes no input from a command. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { describeArena, PROFILES } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";

const SCRIPT = "/usr/bin/script";

describeArena((arena) => {
  for (const profile of PROFILES) {
    it(`38 ${profile}: neither TIOCSTI nor TIOCLINUX, on any descriptor, with any high bits`, async ({
      skip,
    }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const attempts = await arena().attack(profile, "terminal", "/dev/pts/0");
      expect(attempts).toMatchObject({ through: [], whole: true });
      const injections = attempts.refused.filter(
        (line) => /TIOCSTI|TIOCLINUX/.test(line) && / on [012]/.test(line),
      );
      // Not ENOTTY: the refusal does not depend on what the descriptor is.
      expect(injections.length).toBe(9);
      expect(injections.filter((line) => !line.startsWith("EPERM "))).toEqual([]);
    });
  }

  it("38 restricted: a bot that was started in a terminal gives its commands none, and nothing is typed there", async ({
    skip,
  }) => {
    if (noCompiler !== null) return skip(noCompiler);
    if (!existsSync(SCRIPT)) return skip(`${SCRIPT} is not installed`);
    const { options, policy, attackProgram } = arena();
    const folder = mkdtempSync(join(tmpdir(), "parley-tty-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const host = join(folder, "host.ts");
    const request = {
      policy: policy("restricted"),
      argv: [
        "/bin/bash",
        "-c",
        `${attackProgram} terminal /dev/tty; echo typed > /dev/tty; tty; echo $PPID > /dev/null`,
      ],
      env: { PATH: "/usr/bin:/bin" },
      timeoutMs: 120_000,
      keep: { head: 10_000, tail: 0 },
    };
    writeFileSync(
      host,
      `import { writeFileSync } from "node:fs";
       import { createSandbox } from ${JSON.stringify(join(import.meta.dirname, "../../sandbox/server.ts"))};
       const sandbox = await createSandbox(${JSON.stringify(options)});
       const result = await sandbox.run(${JSON.stringify(request)});
       writeFileSync(${JSON.stringify(join(folder, "said"))}, result.kind === "failed" ? result.reason : result.head.toString());
       await sandbox.close();`,
    );
    const terminal = spawn(SCRIPT, ["-qec", `${process.execPath} ${host}`, join(folder, "typescript")], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    await once(terminal, "close");
    const said = readFileSync(join(folder, "said"), "utf8");
    expect(said).toContain("end\n");
    expect(said).not.toContain("through");
    expect(said).toContain("not a tty");
    expect(readFileSync(join(folder, "typescript"), "utf8")).not.toContain("typed");
  });
});

it("38 twin: outside the sandbox the call does reach a terminal, where this kernel still has it", async ({
  skip,
}) => {
  const setting = "/proc/sys/dev/tty/legacy_tiocsti";
  if (!existsSync(SCRIPT)) return skip(`${SCRIPT} is not installed`);
  if (existsSync(setting) && readFileSync(setting, "utf8").trim() === "0") return skip("legacy_tiocsti is 0");
  const inject =
    "import fcntl, sys, termios; [fcntl.ioctl(0, termios.TIOCSTI, c.encode()) for c in 'typed']; print('done')";
  const text = execFileSync(SCRIPT, ["-qec", `/usr/bin/python3 -c "${inject}"`, "/dev/null"]).toString();
  expect(text).toContain("done");
});
