/** 9, item 5: a repository's set-up is run once, and what it left serves every conversation without reaching another. */

import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import type { Setup } from "../../src/machine/vocabulary.ts";
import type { SetupStatus } from "../../src/thread/post.ts";
import { commit, conversation, createScene, git, type Scene, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
let scene: Scene;
let registry: Server;
/** What the registry was asked for. */
const served: string[] = [];
/** While it is pending the registry answers nobody. */
let open: Promise<void> = Promise.resolve();
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox);
  registry = createServer((request, response) => {
    served.push(request.url ?? "");
    void open.then(() => response.end("module.exports = 42;\n"));
  }).listen(0, "127.0.0.1");
  await once(registry, "listening");
});
afterAll(async () => {
  await sandbox.close();
  registry.close();
  await scene[Symbol.asyncDispose]();
});

/** Installs one package from the registry, in the checkout and in the home; leaves what git would show, too. */
const installing = (path: string): string => {
  const address = registry.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `mkdir -p node_modules/answer ~/.store
curl -sSf --noproxy '' -o node_modules/answer/index.js http://127.0.0.1:${port}/${path}
cp node_modules/answer/index.js ~/.store/answer.js
echo left > not-ignored.txt; echo changed > README.md\n`;
};
const times = (path: string): number => served.filter((url) => url === `/${path}`).length;

const IGNORED = { ".gitignore": "node_modules/\n" };

const FILE = ".parley/setup.sh";

const prepared = async (name: string, script: string): Promise<string> => {
  const repo = await scene.repository(name);
  await commit(repo, { ...IGNORED, "README.md": "# It\n", [FILE]: script });
  return repo;
};

interface More {
  readonly workspaces?: Scene["workspaces"];
  /** Done once the conversation is open; the set-up may be running. */
  readonly meanwhile?: () => Promise<unknown>;
  readonly show?: (status: SetupStatus | null) => void;
}

/** Opens a conversation, and answers what it was told of the set-up once that is over. */
const attend = async (
  id: ConversationId,
  repo: string,
  { workspaces = scene.workspaces, meanwhile, show = quiet }: More = {},
): Promise<readonly Setup[]> => {
  const told: Setup[] = [];
  const over = Promise.withResolvers<void>();
  const outcome = await workspaces.open(conversation(id, { kind: "path", location: repo }, null), {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onSetUpProgress: show,
    onSetUp: (setUp) => {
      told.push(setUp);
      if (setUp.kind !== "began") over.resolve();
    },
  });
  expect(outcome.kind).toBe("ready");
  await meanwhile?.();
  if (told.length > 0) await over.promise;
  return told;
};

const change = async (repo: string, files: Readonly<Record<string, string>>): Promise<void> => {
  await commit(repo, files);
  scene.clock.advance(60_000);
};

const quiet = (): void => undefined;

const standing = (id: ConversationId, repo: string): ReturnType<Scene["workspaces"]["setUp"]> =>
  scene.workspaces.setUp(conversation(id, { kind: "path", location: repo }, null));

/** Every set-up that is on disk, whole or not. */
const onDisk = async (): Promise<readonly string[]> => {
  const all = join(scene.data, "prepared");
  const names = await readdir(all, { recursive: true });
  return names.filter((name) => /^\w+\/[0-9a-f]{32}$/.test(name)).map((name) => join(all, name));
};

const TEST = "cat node_modules/answer/index.js ~/.store/answer.js; git status --short; ls";

describe("a repository's set-up", () => {
  it("is run once with the network; from then on conversations have what it left, without one", async () => {
    const repo = await prepared("once", installing("once"));
    const both = await Promise.all([attend("c-once1", repo), attend("c-once2", repo)]);
    for (const told of both) expect(told).toMatchObject([{ kind: "began" }, { kind: "ready", late: false }]);
    expect(times("once")).toBe(1);
    // One on a later commit has it as well, and so has another process.
    await change(repo, { "README.md": "# More\n" });
    expect(await attend("c-once3", repo)).toEqual([]);
    expect(await attend("c-once4", repo, { workspaces: scene.restart() })).toEqual([]);
    for (const [id, permission] of [
      ["c-once1", "restricted"],
      ["c-once3", "restricted"],
      ["c-once4", "unrestricted"],
    ] as const) {
      const { text } = await scene.shell(id, permission, TEST);
      expect(text).toBe("module.exports = 42;\nmodule.exports = 42;\nREADME.md\nnode_modules");
    }
    expect((await scene.shell("c-once3", "restricted", "cat README.md")).text).toBe("# More");
    expect(times("once")).toBe(1);
  });

  it("says how it stands, and shows meanwhile for how long it runs and what it wrote last", async () => {
    const gate = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<void>();
    const shown: (SetupStatus | null)[] = [];
    open = gate.promise;
    const script = `echo "fetching ghp_${"a1B2".repeat(9)}"\n${installing("shows")}`;
    const repo = await prepared("shows", script);
    const at = scene.clock.now();
    await attend("c-shows", repo, {
      meanwhile: async () => {
        await seen.promise;
        expect(await standing("c-shows", repo)).toMatchObject({ kind: "running", since: at });
        gate.resolve();
      },
      show: (status) => {
        shown.push(status);
        // What comes within a second of the last showing waits for the next one.
        if (status !== null) scene.clock.advance(1_000);
        if (status?.line.startsWith("fetching") === true) seen.resolve();
      },
    });
    expect(shown[0]).toEqual({ seconds: 0, line: "" });
    expect(shown).toContainEqual({ seconds: 1, line: "fetching ‹masked›" });
    expect(shown.at(-1)).toBeNull();
    expect(await standing("c-shows", repo)).toMatchObject({
      kind: "prepared",
      name: expect.stringMatching(/^[0-9a-f]{8}$/),
      commit: await git(repo, "rev-parse", "HEAD"),
      at: scene.clock.now(),
    });
  });

  it("where it asked to go is in the host's log", async ({ skip }) => {
    if (sandbox.probe.egress !== "proxy") skip("no proxy stands between here");
    const logged: unknown[] = [];
    const log = { info: (_: string, fields: unknown) => void logged.push(fields), warn: quiet, error: quiet };
    const repo = await prepared("asks", installing("asks"));
    await attend("c-asks", repo, { workspaces: scene.restart({ log }) });
    expect(logged).toContainEqual(expect.objectContaining({ host: "127.0.0.1", allowed: true }));
  });

  it("is run again where its file, a lock file or the branch is another", async () => {
    const repo = await prepared("again", "# lock: web/bun.lock\n");
    const [began, none] = [{ kind: "began" }, undefined];
    expect((await attend("c-again0", repo))[0]).toEqual(began);
    const cases = [
      [{ "src/package-lock.json": "not at the root, and not named\n" }, none],
      [{ "requirements-dev.txt": "pytest\n" }, began],
      [{ "web/bun.lock": "{}\n" }, began],
      [{ [FILE]: "# another\n" }, began],
    ] as const;
    for (const [n, [files, told]] of cases.entries()) {
      await change(repo, files);
      expect((await attend(`c-again1${n}`, repo))[0]).toEqual(told);
    }
    await git(repo, "checkout", "--quiet", "-b", "other");
    await change(repo, {});
    expect((await attend("c-again2", repo))[0]).toEqual(began);
  });

  it("leaves nothing that a conversation could change for another one", async () => {
    const repo = await prepared("apart", installing("apart"));
    await attend("c-apart1", repo);
    // By its names, by another name of the same file, by what holds it, and where it lies on the host.
    const poison = `echo evil > node_modules/answer/index.js; chmod -R 777 node_modules; touch node_modules/x; echo evil > ~/.store/answer.js
mount -o remount,rw "$PWD"; ln node_modules/answer/index.js /tmp/other && echo evil > /tmp/other
mv node_modules/answer node_modules/gone && mkdir node_modules/answer && echo evil > node_modules/answer/index.js && rm -r node_modules/gone
for file in ${scene.data}/prepared/*/*/*/node_modules/answer/index.js ${scene.data}/trees/*/*/*/node_modules/answer/index.js; do echo evil > "$file"; done
for root in /proc/[0-9]*/root; do echo evil > "$root"${scene.data}/prepared/x; done`;
    await scene.shell("c-apart1", "restricted", poison);
    await scene.shell("c-apart1", "unrestricted", poison);
    const seen = "cat node_modules/answer/index.js ~/.store/answer.js; ls -A node_modules";
    expect((await scene.shell("c-apart1", "unrestricted", seen)).text).toBe("evil\nevil\nanswer\nx");
    await attend("c-apart2", repo);
    const clean = "module.exports = 42;\nmodule.exports = 42;\nanswer";
    expect((await scene.shell("c-apart2", "restricted", seen)).text).toBe(clean);
    expect((await scene.shell("c-apart2", "unrestricted", seen)).text).toBe(clean);
  });

  it("hears the commit alone: an edited checkout and what is no file have no say", async () => {
    const repo = await scene.repository("edited");
    await commit(repo, { "README.md": "x\n" });
    await mkdir(join(repo, dirname(FILE)));
    await writeFile(join(repo, FILE), "exit 1\n");
    expect(await attend("c-edited1", repo)).toEqual([]);
    await scene.shell("c-edited1", "unrestricted", `mkdir -p .parley; echo 'exit 1' > ${FILE}`);
    expect(await attend("c-edited1", repo, { workspaces: scene.restart() })).toEqual([]);
    const odd = await scene.repository("odd");
    await commit(odd, { [`${FILE}/run`]: "exit 1\n" });
    const why = `${FILE} is not a regular file.`;
    expect(await attend("c-odd", odd)).toEqual([{ kind: "failed", why }]);
    expect(await standing("c-odd", odd)).toEqual({ kind: "unusable", why });
  });

  it("is read from PARLEY_SETUP, its former name, unless the repository has both", async () => {
    const repo = await scene.repository("former");
    await commit(repo, { ...IGNORED, "README.md": "# It\n", PARLEY_SETUP: installing("former") });
    expect(await attend("c-former1", repo)).toMatchObject([{ kind: "began" }, { kind: "ready" }]);
    await commit(repo, { [FILE]: installing("new") });
    scene.clock.advance(60_000);
    expect(await attend("c-former2", repo)).toMatchObject([{ kind: "began" }, { kind: "ready" }]);
    expect([times("former"), times("new")]).toEqual([1, 1]);
  });

  it("of a fork's pull request is never run; the same commit on the bound branch is", async () => {
    const repo = await prepared("fork", installing("ours"));
    const ours = await git(repo, "rev-parse", "HEAD");
    const theirs = await commit(repo, { [FILE]: installing("theirs") });
    await git(repo, "reset", "--quiet", "--hard", ours);
    await git(repo, "update-ref", "refs/pull/1/head", theirs);
    await attend("c-fork1", repo);
    // Nor where an agent works on it, in this process or the next.
    const look = `git cat-file -e ${theirs} 2>/dev/null && echo here; cp ${FILE} x; echo '${installing("theirs")}' > ${FILE}`;
    expect((await scene.shell("c-fork1", "unrestricted", look)).text).not.toContain("here");
    expect(await attend("c-fork1", repo, { workspaces: scene.restart() })).toEqual([]);
    expect([times("ours"), times("theirs")]).toEqual([1, 0]);
    await git(repo, "reset", "--quiet", "--hard", theirs);
    scene.clock.advance(60_000);
    expect(await attend("c-fork2", repo)).toMatchObject([{ kind: "began" }, { kind: "ready" }]);
    expect([times("ours"), times("theirs")]).toEqual([1, 1]);
  });

  it("that fails is told with its last lines, leaves nothing, and is left alone for a while", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const script = `mkdir node_modules; seq -f 'line %g' 30; echo "no such package ${token}, see ~/.npm/log" >&2; false; echo on\n`;
    const repo = await prepared("fails", script);
    const before = await onDisk();
    const [began, failed] = await attend("c-fails1", repo);
    expect(began).toEqual({ kind: "began" });
    if (failed?.kind !== "failed") throw new Error(JSON.stringify(failed));
    expect(failed.why).toMatch(/^it ended with status 1\./);
    expect(failed.output).toEqual([
      ...Array.from({ length: 14 }, (_, index) => `line ${17 + index}`),
      "no such package ‹masked›, see ~/.npm/log",
    ]);
    // Whole where the operator looks, below the data directory.
    expect(await readFile(join(scene.data, failed.log ?? ""), "utf8")).toMatch(
      new RegExp(`^line 1\n[^]*${token}`),
    );
    expect(await onDisk()).toEqual(before);
    expect((await scene.shell("c-fails1", "restricted", "ls")).text).not.toContain("node_modules");
    expect(await attend("c-fails2", repo)).toEqual([failed]);
    expect(await standing("c-fails2", repo)).toMatchObject({ kind: "failed", failure: { why: failed.why } });
    const held = await scene.workspaces.policy("c-fails2", "restricted");
    expect(held).toMatchObject({ hint: expect.stringContaining("setup failed") });
    scene.clock.advance(10 * 60_000);
    expect((await attend("c-fails3", repo))[0]).toEqual({ kind: "began" });
  });

  it("that is kept from a place in the network says from which", async () => {
    const script = "curl -sSf --noproxy '' http://169.254.169.254/ || exit 3\n";
    const [, told] = await attend("c-kept", await prepared("kept", script));
    const because =
      sandbox.probe.egress === "proxy"
        ? "It was kept from reaching 169.254.169.254 (PARLEY_EGRESS)."
        : "it ended with status 3.";
    expect(told).toMatchObject({ kind: "failed", why: expect.stringContaining(because) });
  });

  it("is bounded in time and size, and is not run where it is switched off", async () => {
    const slow = await prepared("slow", "mkdir node_modules; sleep 1000\n");
    const brief = scene.restart({ setUp: { timeout: 300, maxBytes: 2 ** 30 } });
    const [, late] = await attend("c-slow", slow, { workspaces: brief });
    expect(late).toMatchObject({ kind: "failed", why: expect.stringContaining("took longer than") });
    const large = await prepared(
      "large",
      "mkdir node_modules; head -c 3000000 /dev/urandom > node_modules/x\n",
    );
    const small = scene.restart({ setUp: { timeout: 60_000, maxBytes: 2 ** 21 } });
    const [, much] = await attend("c-large", large, { workspaces: small });
    const why = expect.stringMatching(/^it left 3 MiB in \d+ files; at most 2/);
    expect(much).toMatchObject({ kind: "failed", why });
    expect(await attend("c-off", slow, { workspaces: scene.restart({ setUp: null }) })).toEqual([]);
  });

  it("is not begun where the disk has no room for what it may leave", async () => {
    const repo = await prepared("full", "true\n");
    const vast = scene.restart({ setUp: { timeout: 60_000, maxBytes: 2 ** 60 } });
    const [, told] = await attend("c-full", repo, { workspaces: vast });
    expect(told).toMatchObject({ kind: "failed", why: expect.stringContaining("too little space") });
  });

  it("whose process died is not there, and is run anew", async () => {
    const repo = await prepared("dies", installing("dies"));
    const others = new Set(await onDisk());
    await attend("c-dies1", repo);
    const own = (await onDisk()).filter((directory) => !others.has(directory));
    expect(own).toHaveLength(1);
    const done = join(own[0] ?? "", "done.json");
    // As it stands before its last step.
    await writeFile(done, (await readFile(done, "utf8")).slice(0, 10));
    const told = await attend("c-dies2", repo, { workspaces: scene.restart() });
    expect(told).toMatchObject([{ kind: "began" }, { kind: "ready" }]);
    expect(times("dies")).toBe(2);
  });

  it("that nobody used for a month goes when another one is made; threads that show it keep it", async () => {
    const repo = await prepared("unused", installing("unused"));
    const show = async () => (await scene.shell("c-unused1", "restricted", "ls node_modules")).text;
    await attend("c-unused1", repo);
    expect(await show()).toBe("answer");
    scene.clock.advance(31 * 86_400_000);
    await attend("c-unused2", await prepared("used", "true\n"));
    expect(await onDisk()).toHaveLength(1);
    expect(await show()).toBe("answer");
    expect(await attend("c-unused3", repo)).toMatchObject([{ kind: "began" }, { kind: "ready" }]);
  });

  it("cannot lead the host out of the tree by links, nor into git's own directory", async () => {
    const outside = join(scene.root, "outside");
    await mkdir(outside);
    await chmod(outside, 0o777);
    const repo = await prepared(
      "links",
      `mkdir node_modules; ln -s ${outside} node_modules/out; echo x > node_modules/hidden; mkfifo node_modules/pipe
rm -rf .git; mkdir -p .git/hooks; echo 'touch ${outside}/hooked' > .git/hooks/post-checkout\n`,
    );
    await attend("c-links1", repo);
    const seen = "ls -A node_modules; git log --format=%s; ls .git/hooks";
    expect((await scene.shell("c-links1", "restricted", seen)).text).toMatch(/^hidden\nout\nchange\nls: /);
    // Where one commit has a directory that the set-up filled, the next has a link to elsewhere.
    await symlink(outside, join(repo, "node_modules"));
    await change(repo, { ".gitignore": "/nothing\n" });
    expect(await attend("c-links2", repo)).toEqual([]);
    expect((await scene.shell("c-links2", "restricted", "readlink node_modules")).text).toBe(outside);
    await scene.shell("c-links2", "unrestricted", "true");
    expect(await readdir(outside)).toEqual([]);
  });

  it("comes too late for a checkout that was made meanwhile, and says so", async () => {
    const gate = Promise.withResolvers<void>();
    open = gate.promise;
    const repo = await prepared("late", installing("late"));
    const told = await attend("c-late", repo, {
      meanwhile: async () => {
        const held = await scene.workspaces.policy("c-late", "unrestricted");
        expect(held).toMatchObject({ hint: expect.stringContaining("still running") });
        gate.resolve();
      },
    });
    expect(told).toMatchObject([{ kind: "began" }, { kind: "ready", late: true }]);
    expect((await scene.shell("c-late", "unrestricted", "ls")).text).toBe("README.md");
  });
});
