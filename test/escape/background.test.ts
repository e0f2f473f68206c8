/** A command in the background is held as one in the foreground is, and ends with whoever may end it. */

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunRequest } from "../../sandbox/types.ts";
import { type Arena, CANARY, describeArena } from "./arena/arena.ts";
import { attemptsIn, noCompiler } from "./arena/attack.ts";
import { descendants, fingerprint, nothingLeft, standing } from "./arena/traces.ts";

const LOG = "background.log";

const request = (
  { policy, seenHome }: Arena,
  argv: readonly string[],
): RunRequest & { readonly outputFile: string } => ({
  policy: policy("unrestricted"),
  argv,
  env: { PATH: "/usr/bin:/bin" },
  timeoutMs: 120_000,
  keep: { head: 0, tail: 0 },
  outputFile: `${seenHome}/${LOG}`,
});

const ran = async (arena: Arena, argv: readonly string[]): Promise<string> => {
  const handle = await arena.world.sandbox.start(request(arena, argv));
  if ("kind" in handle) throw new Error(handle.reason);
  await handle.done;
  const text = readFileSync(join(arena.home, LOG), "utf8");
  rmSync(join(arena.home, LOG));
  return text.replace(/\n\[background process .*\n$/, "");
};

/** What a Restricted one says comes to the host. */
const ranRestricted = async ({ world, policy }: Arena, argv: readonly string[]): Promise<string> => {
  const said: Buffer[] = [];
  const handle = await world.sandbox.start({
    policy: policy("restricted"),
    argv,
    env: { PATH: "/usr/bin:/bin" },
    timeoutMs: 120_000,
    keep: { head: 0, tail: 0 },
    onOutput: (chunk) => said.push(chunk),
  });
  if ("kind" in handle) throw new Error(handle.reason);
  await handle.done;
  return Buffer.concat(said).toString("utf8");
};

describeArena((arena) => {
  it.for([
    ["Unrestricted", ran],
    ["Restricted", ranRestricted],
  ] as const)(
    "1 to 33 in the background nothing gets through that is held in the foreground: %s",
    async ([, run], { skip }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const { attackProgram, env, other, host, victim } = arena();
      const { pid } = await victim();
      const before = [fingerprint(env), fingerprint(join(host, "data/threads/other")), standing(pid)];
      for (const words of [
        ["write", env, host],
        ["unnamed", env],
        ["unnamed", other],
        ["signals", String(pid), "9"],
        ["limits", String(pid)],
        ["spying", String(pid)],
        ["kernel"],
        ["spaces"],
        ["network", "9", "9"],
        ["families"],
      ]) {
        const attempts = attemptsIn(await run(arena(), [attackProgram, ...words]));
        expect([words, attempts]).toMatchObject([words, { through: [], whole: true }]);
      }
      expect([fingerprint(env), fingerprint(join(host, "data/threads/other")), standing(pid)]).toEqual(
        before,
      );
    },
  );

  it("6, 15 in the background no secret is read and no descriptor of the host is open", async () => {
    const { env, token, other } = arena();
    const script = `cat ${env} ${token} ${other}; python3 -c '
import fcntl
found = []
for fd in range(4096):
  try: fcntl.fcntl(fd, fcntl.F_GETFD); found.append(fd)
  except OSError: pass
print(found)'`;
    const text = await ran(arena(), ["/bin/bash", "-c", script]);
    expect(text).not.toContain(CANARY);
    expect(text).toContain("[0, 1, 2]\n");
  });

  it("44 what a background command began is over when it is stopped", async () => {
    const known = descendants();
    const handle = await arena().world.sandbox.start(
      request(arena(), [
        "/bin/bash",
        "-c",
        "setsid sleep 600 & (setsid sleep 600 &) ; trap '' TERM; sleep 600",
      ]),
    );
    if ("kind" in handle) throw new Error(handle.reason);
    expect(descendants().length).toBeGreaterThan(known.length);
    handle.stop();
    await handle.done;
    await nothingLeft(known);
  });
});
