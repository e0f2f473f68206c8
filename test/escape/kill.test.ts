/** hazard K5, 44 and 45: when a command is over, everything that it began is over. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Arena, describeArena, said } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";
import { descendants, nothingLeft } from "./arena/traces.ts";

/** Ways to outlive one's parent. Each beats: it appends to a file of the checkout as long as it lives. */
const SURVIVORS: Readonly<Record<string, string>> = {
  "in a session of its own": "setsid bash -c 'beat' &",
  "double-forked": "(setsid bash -c '(beat &) ; exit' &)",
  "nohup and disowned": "nohup bash -c beat >/dev/null 2>&1 & disown",
  "deaf to every signal": "bash -c 'trap \"\" TERM INT HUP QUIT PIPE USR1 USR2 ALRM; beat' &",
  "forking itself on and on":
    "hop() { echo . >> beats; sleep 0.01; (setsid bash -c hop &) ; exit; }; export -f hop; bash -c hop &",
  "stopped, with a child that is not": "bash -c 'beat & kill -STOP $$' &",
  "in a process group of its own": "set -m; bash -c beat & set +m",
  "holding the output": "bash -c 'exec 3>&1; beat' &",
  "waiting in a pipe": "mkfifo p 2>/dev/null; bash -c 'beat & cat p' &",
  "a daemon of python":
    'python3 -c \'import os, time\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\nwhile True: open("beats", "a").write("."); time.sleep(0.01)\' &',
};

/** What only a system call can do: a child of the command's own parent, deaf, with orphans that it keeps. */
const started = ({ attackProgram }: Arena): readonly (readonly [string, string])[] => [
  ...Object.entries(SURVIVORS),
  ...(noCompiler === null
    ? [["beside the command, not below it", `${attackProgram} outlive beats`] as const]
    : []),
];

const PREFACE = "beat() { while :; do echo . >> beats; sleep 0.01; done; }; export -f beat; : > beats;";

const allOf = (arena: Arena): string =>
  started(arena)
    .map(([, start]) => start)
    .join("\n");

const beats = ({ work }: Arena): number => readFileSync(join(work, "beats"), "utf8").length;

/** Alive until the result came, and silent from then on. */
const silent = async (arena: Arena): Promise<void> => {
  const atEnd = beats(arena);
  expect(atEnd).toBeGreaterThan(0);
  await pause(60);
  expect(beats(arena)).toBe(atEnd);
};

/** Of directories in directories, in a temporary directory. */
const DEPTH = 600;

const READY = "until [ -s beats ]; do sleep 0.01; done; sleep 0.03; echo ready; sleep 600";

describeArena((arena) => {
  it("44 each kind of survivor dies with a normal end, an abort, and the end of its time", async () => {
    const known = descendants();
    for (const [name, start] of started(arena())) {
      const script = `${PREFACE} ${start}\n${READY.replace("sleep 600", "exit 0")}`;
      const result = await arena().shell("unrestricted", script);
      expect([name, said(result)]).toEqual([name, expect.stringContaining("ready")]);
      await silent(arena());
    }
    await nothingLeft(known);
  });

  it("44 all of them at once die with an abort, and with the end of the time", async () => {
    const { world, policy } = arena();
    const known = descendants();
    const script = `${PREFACE} ${allOf(arena())}\n${READY}`;
    const abort = new AbortController();
    const aborted = await world.sandbox.run(
      {
        policy: policy("unrestricted"),
        argv: ["/bin/bash", "-c", script],
        env: { PATH: "/usr/bin:/bin" },
        timeoutMs: 120_000,
        keep: { head: 1000, tail: 0 },
      },
      { signal: abort.signal, onOutput: () => abort.abort() },
    );
    expect(aborted.kind).toBe("killed");
    await silent(arena());
    const late = await arena().shell("unrestricted", script, { timeoutMs: 700 });
    expect(late.kind).toBe("timedOut");
    await silent(arena());
    await nothingLeft(known);
  });

  it("45 SIGKILL of the bot in the middle of a command ends the command", async () => {
    const { policy, options } = arena();
    const request = {
      policy: policy("unrestricted"),
      argv: ["/bin/bash", "-c", `${PREFACE} ${allOf(arena())}\n${READY}`],
      env: { PATH: "/usr/bin:/bin" },
      timeoutMs: 60_000,
      keep: { head: 9, tail: 9 },
    };
    const program = `
      import { createSandbox } from ${JSON.stringify(join(import.meta.dirname, "../../sandbox/server.ts"))};
      const sandbox = await createSandbox(${JSON.stringify(options)});
      await sandbox.run(${JSON.stringify(request)}, { onOutput: () => process.stdout.write("up\\n") });`;
    const bot = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(createInterface({ input: bot.stdout }), "line");
    bot.kill("SIGKILL");
    await once(bot, "close");
    // Nobody answers for it any more: the last beat is waited for.
    let last = -1;
    for (let look = 0; look < 100 && last !== beats(arena()); look++) {
      last = beats(arena());
      await pause(60);
    }
    await silent(arena());
  });

  it("44 twin: a background job of the command itself runs to its end", async () => {
    expect(said(await arena().shell("unrestricted", "(sleep 0.2; echo late > late) & wait; cat late"))).toBe(
      "late\n",
    );
  });

  it("44 nothing stays behind in the temporary directory, however deep or closed", async () => {
    const { shell, world } = arena();
    const script = `cd $TMPDIR; echo $PWD; python3 - <<'END'
import os
for i in range(${DEPTH}):
  os.mkdir("d"); os.chdir("d")
open("f", "w").write("x")
END
      mkdir closed && touch closed/f && chmod 0 closed 2>/dev/null; true`;
    const [path = ""] = said(await shell("restricted", script)).split("\n");
    expect(path).toMatch(/^\/tmp/);
    if (world.sandbox.probe.mounts) return;
    for (let look = 0; look < 500 && existsSync(path); look++) await pause(20);
    expect(existsSync(path)).toBe(false);
  });
});
