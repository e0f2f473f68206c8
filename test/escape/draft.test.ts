/** D42: a draft writes its copy and its home, and nothing else of the host, at every tier that holds Restricted. */

import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { SandboxPolicy, RunResult } from "../../sandbox/types.ts";
import { type Arena, describeArena, said } from "./arena/arena.ts";
import { attemptsIn, noCompiler } from "./arena/attack.ts";
import { fingerprint } from "./arena/traces.ts";

describeArena((arena) => {
  it("writes its copy and its home, and has no network", async () => {
    const { draft, run } = open(arena(), "copy");
    const script =
      "mkdir -p a/b && echo x > a/b/f && mv a/b/f a/g && ln -s g a/h && echo y > ~/kept && cat a/h; (exec 3<>/dev/tcp/127.0.0.1/9) 2>&1 | grep -q 'not permitted' && echo closed";
    expect(said(await run(["/bin/bash", "-c", script]))).toBe("x\nclosed\n");
    expect(readFileSync(join(draft.work, "a/g"), "utf8")).toBe("x\n");
    expect(readFileSync(join(draft.home, "kept"), "utf8")).toBe("y\n");
    expect(existsSync(join(arena().work, "a"))).toBe(false);
  });

  it("in layers writes its own and nothing of what shows through", async ({ skip }) => {
    if (!arena().world.sandbox.probe.mounts) return skip("no mounts");
    const { draft, run } = open(arena(), "layers");
    const below = arena().plant("below.txt", "below\n");
    const before = fingerprint(arena().work);
    const script =
      "cat below.txt; echo x >> below.txt; chmod 600 below.txt; mv below.txt moved; ln moved hard; echo y >> hard; mkdir below.txt; touch -d 2001-01-01 moved; cat moved";
    expect(said(await run(["/bin/bash", "-c", script]))).toBe("below\nbelow\nx\ny\n");
    // The next command sees it, and one that only reads sees the same.
    expect(said(await run(["/bin/bash", "-c", "cat hard; rm -r below.txt moved; ls"]))).toMatch(
      /^below\nx\ny\n/,
    );
    expect(fingerprint(arena().work)).toEqual(before);
    expect(readFileSync(below, "utf8")).toBe("below\n");
    expect(readFileSync(join(draft.work, "upper/hard"), "utf8")).toBe("below\nx\ny\n");
    // Another one at the same place is another one.
    const again = open(arena(), "layers");
    expect(said(await again.run(["/bin/bash", "-c", "cat below.txt; ls hard 2>&1 | wc -l"]))).toBe(
      "below\n1\n",
    );
  });

  it.for(["copy", "layers"] as const)(
    "writes not a byte outside of it (%s), whatever is tried",
    async (kind, { skip }) => {
      if (noCompiler !== null) return skip(noCompiler);
      const { world, host, env, database, token, other, plant, attackProgram } = arena();
      if (kind === "layers" && !world.sandbox.probe.mounts) return skip("no mounts");
      const { draft, run } = open(arena(), kind);
      const target = plant("target.txt", "content\n", 0o666);
      const outside = (): Readonly<Record<string, string>> =>
        Object.fromEntries(
          Object.entries(fingerprint(host)).filter(([path]) => !path.startsWith(dirname(draft.work))),
        );
      const before = outside();
      for (const file of [env, database, token, other, target]) {
        const attempts = attemptsIn(said(await run([attackProgram, "write", file, dirname(file)])));
        expect(attempts).toMatchObject({ through: [], whole: true });
      }
      const name = `escape-${process.pid}`;
      const places = ["/tmp", "/dev/shm", "/var/tmp", "/", "/run", "/etc", "/home"];
      const paths = [env, other, target];
      const script = [
        ...places.map((place) => `echo x > ${place}/${name}`),
        ...paths.map(
          (path, i) =>
            `ln -s ${path} soft${i}; echo x > soft${i}; ln ${path} hard${i}; echo x > hard${i}; mv ${path} m${i}; cat soft${i}; chmod 777 ${path} soft${i}; touch -d 2001-01-01 ${path}; truncate -s0 ${path}`,
        ),
      ].join("; ");
      expect(said(await run(["/bin/bash", "-c", script]))).not.toContain("canary");
      expect(outside()).toEqual(before);
      for (const place of places) expect(existsSync(join(place, name))).toBe(false);
    },
  );

  it("gives nobody a set-id file, and changes modes only where mounts keep it to the copy", async () => {
    const { world } = arena();
    const { draft, run } = open(arena(), "copy");
    await run(["/bin/bash", "-c", "cp /bin/true tool; chmod 4755 tool"]);
    expect(statSync(join(draft.work, "tool")).mode & 0o6000).toBe(0);
    // Without mounts that are read-only a command could change modes in the checkout, which is the same user's.
    const changed = said(await run(["/bin/bash", "-c", "echo x > mode && chmod 600 mode && echo changed"]));
    if (world.sandbox.probe.mounts) expect(changed).toBe("changed\n");
    else expect(changed).toMatch(/Operation not permitted/);
  });
});

/** A copy, or layers over the checkout, and a home beside it, as the workspace lays them out. */
const open = ({ world, work, attackProgram, policy }: Arena, kind: "copy" | "layers") => {
  const folder = join(dirname(work), "draft");
  const draft = { work: join(folder, "work"), home: join(folder, "home") };
  const { uid, gid, mode } = statSync(dirname(work));
  const mine = statSync(work);
  const layers = kind === "layers" ? [join(draft.work, "upper"), join(draft.work, "work")] : [];
  rmSync(folder, { recursive: true, force: true });
  for (const path of [folder, draft.work, draft.home, ...layers]) {
    mkdirSync(path, { recursive: true });
    const owner = path === folder ? { uid, gid } : mine;
    chownSync(path, owner.uid, owner.gid);
    chmodSync(path, path === folder ? mode : 0o700);
  }
  const seen = (path: string, target: string): string => (world.sandbox.probe.mounts ? target : path);
  const held: SandboxPolicy = policy("draft", {
    mounts: [
      { source: draft.work, target: "/work", write: true, under: kind === "layers" ? [work] : [] },
      { source: draft.home, target: "/home/agent", write: true },
      { source: work, target: "/checkout", write: false },
      ...(noCompiler === null ? [{ source: attackProgram, target: attackProgram, write: false }] : []),
    ],
    cwd: seen(draft.work, "/work"),
  });
  const run = (argv: readonly string[]): Promise<RunResult> =>
    world.sandbox.run({
      policy: held,
      argv,
      env: { PATH: "/usr/bin:/bin", HOME: seen(draft.home, "/home/agent") },
      timeoutMs: 120_000,
      keep: { head: 256 * 1024, tail: 64 * 1024 },
    });
  return { draft, run };
};
