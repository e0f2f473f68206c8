/** hazard K5, 52: what developers do all day works under the very policies that hold the attacks. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { describeArena, said } from "./arena/arena.ts";

describeArena((arena) => {
  it("restricted: heredocs, here-strings, process substitution, pipes, jobs and arithmetic", async () => {
    const script = `cat <<'END' | tr a-z A-Z
heredoc
END
      wc -c <<< "$(head -c 200000 /dev/zero | tr '\\0' x)"; diff <(seq 3) <(seq 3) && echo same; seq 5 | paste -sd+ | python3 -c 'print(eval(input()))'
      for i in 1 2 3; do (exit $i) & done; wait -n; echo jobs; exec 5<<< five; cat <&5; coproc C { cat; }; echo co >&\${C[1]}; read -u \${C[0]} x; echo $x; printf '%s\\n' {a..c} | xargs -P 3 -n 1 true && echo xargs`;
    expect(said(await arena().shell("restricted", script))).toBe(
      "HEREDOC\n200001\nsame\n15\njobs\nfive\nco\nxargs\n",
    );
  });

  it("restricted: three million lines are sorted, with its temporary files in the private tmp", async () => {
    const script =
      "seq 3000000 | sort -r -S 8M --parallel=2 -T $TMPDIR | head -2; find /usr/include -name 'st*.h' | wc -l";
    const lines = said(await arena().shell("restricted", script)).split("\n");
    expect(lines.slice(0, 2)).toEqual(["999999", "999998"]);
  });

  it("restricted: python with threads, processes and a pool; node with workers and children", async () => {
    const python = `python3 - <<'END'
import asyncio, concurrent.futures, multiprocessing, os, subprocess, tempfile, threading
print(sum(concurrent.futures.ThreadPoolExecutor(4).map(len, ["a"] * 9)))
print(subprocess.run("echo sub | cat", shell=True, capture_output=True, text=True).stdout.strip())
with tempfile.NamedTemporaryFile() as f: f.write(b"x"); f.flush(); print(os.path.getsize(f.name))
ours, theirs = multiprocessing.Pipe()
child = multiprocessing.get_context("fork").Process(target=theirs.send, args=({"piped": 1},)); child.start(); print(ours.recv()); child.join()
async def run(): return (await (await asyncio.create_subprocess_exec("echo", "async", stdout=-1)).communicate())[0]
print(asyncio.run(run()))
END`;
    expect(said(await arena().shell("restricted", python))).toBe("9\nsub\n1\n{'piped': 1}\nb'async\\n'\n");
    const { world, policy } = arena();
    const node = "/opt/parley-test/node";
    const program = world.sandbox.probe.mounts ? node : process.execPath;
    const base = policy("restricted");
    const script = `const { Worker } = require("node:worker_threads"); const { execFileSync, spawn } = require("node:child_process"); const { scryptSync } = require("node:crypto");
      try { require("node:fs").watch("."); } catch (error) { console.log(error.code); }
      console.log(execFileSync("/bin/echo", ["child"]).toString().trim(), scryptSync("a", "b", 8).length);
      new Worker("require('node:worker_threads').parentPort.postMessage(6 * 7)", { eval: true }).on("message", (m) => {
        console.log("worker", m);
        spawn(process.execPath, ["-e", "process.send({ sent: 1 }, () => process.disconnect())"], { stdio: ["ignore", "inherit", "inherit", "ipc"] }).on("message", (m) => console.log(m));
      });`;
    const result = await world.run("restricted", [program, "-e", script], {
      policy: { ...base, mounts: [...base.mounts, { source: process.execPath, target: node, write: false }] },
    });
    expect(said(result)).toBe("ENOSYS\nchild 8\nworker 42\n{ sent: 1 }\n");
  });

  it("unrestricted: tar, cp -p, gcc and make, an install of a local npm package, a virtual environment", async ({
    skip,
  }) => {
    if (!existsSync("/usr/bin/make") || !existsSync("/usr/bin/cc")) return skip("no compiler or make");
    const script = `mkdir -p proj && cd proj && printf 'int main(void){return 0;}\\n' > a.c && printf 'all: a\\na: a.o\\n\\tcc -o a a.o\\na.o: a.c\\n\\tcc -c a.c\\n' > Makefile
      make -s -j2 && ./a && echo built; cp -p a b && cmp a b && echo copied; tar czf ../p.tgz . && mkdir -p ../x && tar xpzf ../p.tgz -C ../x && ls ../x/a && touch -r a b && [ ! a -nt b ] && echo kept`;
    expect(said(await arena().shell("unrestricted", script))).toBe("built\ncopied\n../x/a\nkept\n");
  });

  it("unrestricted: npm installs a package from a folder and links its program", async ({ skip }) => {
    const npm = npmFolder();
    if (npm === null) return skip("no npm on this machine");
    const { world, policy, shell } = arena();
    const target = (path: string, seen: string): string => (world.sandbox.probe.mounts ? seen : path);
    await shell(
      "unrestricted",
      `mkdir -p lib app && printf '{"name":"lib","version":"1.0.0","bin":{"lib":"run.js"}}' > lib/package.json && printf '#!/usr/bin/env node\\nconsole.log("lib ran")\\n' > lib/run.js && chmod +x lib/run.js && printf '{"name":"app","version":"1.0.0"}' > app/package.json`,
    );
    const base = policy("unrestricted");
    const node = target(process.execPath, "/opt/parley-test/bin/node");
    const script = `export PATH=${dirname(node)}:$PATH npm_config_cache=$TMPDIR/cache npm_config_update_notifier=false; cd app && node ${target(npm, "/opt/parley-test/npm")}/bin/npm-cli.js install --no-audit --no-fund ../lib && ./node_modules/.bin/lib`;
    const result = await shell("unrestricted", script, {
      policy: {
        ...base,
        mounts: [
          ...base.mounts,
          { source: process.execPath, target: "/opt/parley-test/bin/node", write: false },
          { source: npm, target: "/opt/parley-test/npm", write: false },
        ],
      },
      timeoutMs: 50_000,
    });
    expect(said(result)).toMatch(/lib ran\n$/);
  });

  it("unrestricted: a virtual environment of python works", async ({ skip }) => {
    try {
      execFileSync("/usr/bin/python3", ["-c", "import venv"]);
    } catch {
      return skip("python has no venv here");
    }
    const script =
      "python3 -m venv --without-pip env && . env/bin/activate && python -c 'import sys; print(sys.prefix.endswith(\"/env\"))'";
    expect(said(await arena().shell("unrestricted", script))).toBe("True\n");
  });
});

/** The folder of the npm that came with some node of this machine. */
const npmFolder = (): string | null =>
  [
    join(dirname(process.execPath), "../lib/node_modules/npm"),
    "/usr/lib/node_modules/npm",
    "/usr/local/lib/node_modules/npm",
    "/usr/share/nodejs/npm",
  ].find((path) => existsSync(join(path, "bin/npm-cli.js"))) ?? null;
