/** Checkouts of conversations that rest: what is kept of them, what stays as it is, and how they come back. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import type { CheckoutRestored } from "../../src/machine/vocabulary.ts";
import { markBackup } from "../../src/workspace/parking/checkout-lock.ts";
import { testSeed } from "../seed.ts";
import type { Doing } from "./idle-child.ts";
import { type All, commit, conversation, createScene, type Scene, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const DAY = 86_400_000;
const AUTHOR = "-c user.name=Ada -c user.email=ada@example.org";

const begun = async (scene: Scene): Promise<string> => {
  const source = await scene.repository("source");
  await commit(source, {
    "a.txt": "one\n",
    "b.txt": "two\n",
    "d/x": "x\n",
    "ends.txt": "a\nb\n",
    "run.sh": "echo run\n",
    ".gitattributes": "ends.txt text eol=crlf\n",
    ".gitignore": "built/\n*.o\n",
  });
  await scene.base("c-1", source);
  return source;
};

/** Everything but what git ignores: type, mode, link, name and bytes. */
const LOOK = `find . \\( -name built -o -name .git \\) -prune -o ! -name '*.o' -printf '%y %m %l %p\\0' | sort -z | tr '\\0' '|';
find . -name .git -prune -o -type f ! -path './built/*' ! -name '*.o' -print0 | sort -z | xargs -0 sha256sum;
git status --short --untracked-files=all; git log --format=%H%d --all; git stash list; git branch -vv; git diff --cached | sha256sum;
test ! -d nested || (cd nested; cat ignored .git/HEAD; git log --format=%H; git diff);
cat .git/config .git/HEAD; find .git -type f ! -name index -print0 | sort -z | xargs -0 sha256sum`;

const look = async (scene: Scene, workspaces?: All, id: ConversationId = "c-1"): Promise<string> => {
  const { code, text } = await scene.shell(id, "restricted", LOOK, workspaces);
  expect(code).toBe(0);
  return text;
};

const RICH = `set -e
echo committed > a.txt; git ${AUTHOR} commit -qam mine; git tag mine
echo stashed > b.txt; git ${AUTHOR} stash -q
echo staged > b.txt; git add b.txt; echo unstaged >> b.txt
rm -r d; ln -s /etc d; chmod 755 run.sh; chmod 600 ends.txt
printf 'a\\r\\nmixed\\nb' > mixed.txt; head -c 5000 /dev/urandom > bytes.bin
echo odd > 'line
break'; echo odd > 'back\\nslash'; echo odd > -dash; echo odd > "$(printf '\\377\\376')"; echo odd > 'git~1'
mkdir -p empty closed built/deep; echo lost > built/out; echo lost > x.o; echo kept > forced.o; git add -f forced.o; echo more >> forced.o
chmod 700 closed; echo in > closed/file; chmod 444 closed/file; ln -s nowhere dangling; ln a.txt hard
git init -q nested; cd nested; echo n > n; git add n; git ${AUTHOR} commit -qm nested; echo dirty > n; echo '*' > .gitignore; echo unseen > ignored; cd ..
git checkout -q -b other; echo home > ~/note; mkdir -p ~/.cache; echo c > ~/.cache/c`;

const never = new AbortController().signal;

const parks = async (workspaces: All, since = 0, id: ConversationId = "c-1"): Promise<unknown> =>
  workspaces.park(id, since, never);

const namesIn = async (...path: readonly string[]): Promise<readonly string[]> =>
  (await readdir(join(...path)).catch((): string[] => [])).toSorted();

const opens = async (source: string, workspaces: All, id: ConversationId = "c-1") => {
  const told: CheckoutRestored[] = [];
  const outcome = await workspaces.open(conversation(id, { kind: "path", location: source }, null), {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onPutBack: (putBack) => told.push(putBack),
  });
  return { outcome, told };
};

describe("a checkout that rests", () => {
  it("comes back as it was: commits, stash, index, modes, links, odd names and repositories within", async () => {
    await using scene = await createScene(sandbox);
    const source = await begun(scene);
    expect(await scene.shell("c-1", "unrestricted", RICH)).toEqual({ code: 0, text: "" });
    const before = await look(scene);
    expect(before).toContain("?? mixed.txt");
    const since = scene.clock.now();
    scene.clock.advance(15 * DAY);
    expect(await parks(scene.workspaces, since)).toEqual({ kind: "parked" });
    expect(await namesIn(scene.data, "threads/c-1")).toEqual(["home", "parked", "place.json"]);
    expect(scene.workspaces.parked()).toBe(1);
    expect(await namesIn(scene.data, "staging")).toEqual([]);
    const { outcome, told } = await opens(source, scene.workspaces);
    expect(outcome.kind).toBe("ready");
    expect(told).toEqual([{ kind: "whole", days: 15 }]);
    expect(scene.workspaces.parked()).toBe(0);
    expect(await look(scene)).toBe(before);
    const rest = await scene.shell("c-1", "unrestricted", "cat ~/note; cat forced.o; ls built ~/.cache x.o");
    expect(rest.text).toMatch(/^home\nkept\nmore\nls: /);
    expect(rest.text).not.toContain("lost");
    expect((await opens(source, scene.workspaces)).told).toEqual([]);
    const place = await scene.workspaces.policy("c-1", "unrestricted");
    expect(place).toMatchObject({ hint: expect.stringContaining("put back without what git ignores") });
  });

  it("is put back before whatever needs it: a command, its changes, and a thread that goes on from it", async () => {
    await using scene = await createScene(sandbox);
    const source = await begun(scene);
    const from = conversation("c-1", { kind: "path", location: source }, await scene.base("c-1", source));
    await scene.shell("c-1", "unrestricted", "echo new > new.txt");
    const sleeps = async () => expect(await parks(scene.workspaces)).toEqual({ kind: "parked" });
    await sleeps();
    expect((await scene.shell("c-1", "unrestricted", "cat new.txt")).text).toBe("new");
    await sleeps();
    expect(await scene.workspaces.changes.read("c-1", null, never)).toMatchObject({
      changed: { files: [{ path: "new.txt" }] },
    });
    await sleeps();
    expect(await scene.workspaces.carry(from, "c-2", never)).toMatchObject({ kind: "copied" });
    await scene.base("c-2", source);
    expect((await scene.shell("c-2", "restricted", "cat new.txt")).text).toBe("new");
  });

  it("without a checkout of its own has nothing to park, and a removed one leaves nothing", async () => {
    await using scene = await createScene(sandbox);
    await begun(scene);
    expect(await scene.workspaces.candidates()).toEqual([]);
    expect(await parks(scene.workspaces)).toEqual({ kind: "left" });
    await scene.shell("c-1", "unrestricted", "echo new > new.txt");
    expect(await scene.workspaces.candidates()).toEqual(["c-1"]);
    expect(await parks(scene.workspaces)).toEqual({ kind: "parked" });
    expect(await scene.workspaces.candidates()).toEqual([]);
    await scene.workspaces.discard("c-1");
    expect(await namesIn(scene.data, "threads")).toEqual([]);
  });

  it("gives way to whoever comes while it is parked, and loses nothing", async () => {
    await using scene = await createScene(sandbox);
    await begun(scene);
    await scene.shell("c-1", "unrestricted", "echo new > new.txt; mkdir built; echo kept > built/out");
    for (const step of ["packed", "compared", "committed"] as const) {
      const reached = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const workspaces = scene.restart({
        atRestStep: async (at) => {
          if (at !== step) return;
          reached.resolve();
          await goOn.promise;
        },
      });
      const parking = parks(workspaces);
      await reached.promise;
      const ran = scene.shell("c-1", "restricted", "cat new.txt built/out", workspaces);
      goOn.resolve();
      expect((await ran).text).toBe("new\nkept");
      expect(await parking).toEqual({ kind: "left" });
    }
    expect(await parks(scene.workspaces)).toEqual({ kind: "parked" });
  });
});

/** Each is refused for itself alone; `TWIN` has what is beside each of them and fits. */
const UNFIT: readonly (readonly [name: string, script: string])[] = [
  ["a fifo", "mkfifo pipe"],
  ["a .git that is a link", "mv .git away; ln -s away .git"],
  ["a directory that cannot be read", "mkdir shut; echo x > shut/x; chmod 0 shut"],
  ["more than is kept, untracked", "head -c 3000000 /dev/urandom > big"],
  ["more than is kept, tracked", "head -c 3000000 /dev/zero > a.txt"],
  ["more than is kept, committed", "head -c 3000000 /dev/urandom > .git/big"],
  ["more entries than are kept", "seq 500 | xargs touch"],
  ["an index that is none", "echo nonsense > .git/index"],
];

const TWIN = `mkdir built; mkfifo built/pipe; mv .git away; mv away .git; mkdir shut; echo x > shut/x; chmod 500 shut;
  head -c 3000000 /dev/urandom > built/big; head -c 30000 /dev/zero > a.txt; head -c 3000 /dev/urandom > .git/big;
  seq 100 | xargs touch; rm .git/index`;

describe("what cannot be kept", () => {
  it("stays as it is and is tried again after a day; what is beside it fits", async () => {
    await using scene = await createScene(sandbox, { rest: { bytes: 2 ** 20, entries: 400 } });
    const source = await begun(scene);
    for (const [n, [name, script]] of UNFIT.entries()) {
      const id = `c-bad-${n}` as const;
      await scene.base(id, source);
      expect((await scene.shell(id, "unrestricted", script)).code, name).toBe(0);
      expect(await parks(scene.workspaces, 0, id), name).toMatchObject({ kind: "unfit" });
      expect(await parks(scene.workspaces, 0, id), name).toEqual({ kind: "left" });
      expect(await namesIn(scene.data, "threads", id), name).toContain("work");
    }
    expect((await scene.shell("c-1", "unrestricted", TWIN)).code).toBe(0);
    expect(await parks(scene.workspaces)).toEqual({ kind: "parked" });
    expect(await namesIn(scene.data, "staging")).toEqual([]);
    await scene.shell("c-bad-0", "unrestricted", "rm pipe");
    scene.clock.advance(DAY - 1);
    expect(await parks(scene.workspaces, 0, "c-bad-0")).toEqual({ kind: "left" });
    scene.clock.advance(1);
    expect(await parks(scene.workspaces, 0, "c-bad-0")).toEqual({ kind: "parked" });
  });

  it("no filter, hook or monitor of the checkout's own is run, and what it would change is kept as it is", async () => {
    await using scene = await createScene(sandbox);
    await begun(scene);
    const hostile = `set -e
      printf '#!/bin/sh\ntouch /work/ran ~/ran /tmp/ran\ncat\n' > .git/evil; chmod +x .git/evil
      git config filter.evil.clean "$PWD/.git/evil"; git config filter.evil.smudge "$PWD/.git/evil"
      git config filter.evil.required true; git config core.fsmonitor "$PWD/.git/evil"
      mkdir -p .git/hooks; cp .git/evil .git/hooks/post-checkout; cp .git/evil .git/hooks/post-index-change
      git config core.hooksPath "$PWD/.git/hooks"
      printf '* filter=evil ident\n' > .gitattributes; printf '$Id: mine$\n' > a.txt; echo /etc/passwd > .git/objects/info/alternates.x`;
    expect((await scene.shell("c-1", "unrestricted", hostile)).code).toBe(0);
    expect(await parks(scene.workspaces)).toEqual({ kind: "parked" });
    const seen = await scene.shell("c-1", "restricted", "cat a.txt; ls ran; test -x .git/evil && echo there");
    expect(seen.text).toMatch(/^\$Id: mine\$\nls: .*\nthere$/);
    expect(await namesIn(scene.data, "threads/c-1/home")).not.toContain("ran");
  });
});

describe("where nothing confines commands", () => {
  it("nothing is parked, but what was parked before is put back", async () => {
    await using scene = await createScene(sandbox);
    await begun(scene);
    await scene.shell("c-1", "unrestricted", "echo new > new.txt; rm a.txt");
    await parks(scene.workspaces);
    const open = await startSandbox(true);
    const workspaces = scene.restart({ sandbox: open });
    const place = await workspaces.policy("c-1", "unrestricted");
    expect(place.kind).toBe("policy");
    expect(await namesIn(scene.data, "threads/c-1/work")).toEqual(
      expect.arrayContaining(["b.txt", "new.txt"]),
    );
    expect(await workspaces.candidates()).toEqual([]);
    expect(await parks(workspaces)).toEqual({ kind: "left" });
    await open.close();
    expect(await parks(scene.restart())).toEqual({ kind: "parked" });
  });
});

describe("an archive that cannot be used", () => {
  it("is said and kept; only whoever asks again gets the commit without what was changed", async () => {
    await using scene = await createScene(sandbox);
    const source = await begun(scene);
    await scene.shell("c-1", "unrestricted", "echo new > new.txt");
    await parks(scene.workspaces);
    const archive = join(scene.data, "threads/c-1/parked/work.tar.gz");
    const bytes = await readFile(archive);
    await writeFile(archive, bytes.subarray(0, -1));
    const first = await opens(source, scene.workspaces);
    expect(first).toMatchObject({
      outcome: { kind: "failed", failure: { message: expect.stringContaining("Nothing was deleted") } },
      told: [],
    });
    scene.clock.advance(5);
    const second = await opens(source, scene.restart());
    const kept = `threads/c-1/kept-${scene.clock.now()}`;
    expect(second).toMatchObject({ outcome: { kind: "ready" }, told: [{ kind: "fresh", kept }] });
    expect(await readFile(join(scene.data, kept, "work.tar.gz"))).toEqual(bytes.subarray(0, -1));
    expect((await scene.shell("c-1", "unrestricted", "cat a.txt; ls new.txt")).text).toMatch(/^one\nls: /);
  });

  it("whose commit is no longer in the mirror is said, kept, and used when the commit is there again", async () => {
    await using scene = await createScene(sandbox);
    const source = await begun(scene);
    await scene.shell("c-1", "unrestricted", "echo new > new.txt");
    await parks(scene.workspaces);
    const [key = ""] = await readdir(join(scene.data, "repos"));
    const objects = join(scene.data, "repos", key, "1.git/objects");
    await rename(join(objects, "pack"), join(objects, "gone"));
    await mkdir(join(objects, "pack"));
    const { outcome } = await opens(source, scene.workspaces);
    expect(outcome).toMatchObject({ failure: { message: expect.stringContaining("threads/c-1/parked") } });
    await rm(join(objects, "pack"), { recursive: true });
    await rename(join(objects, "gone"), join(objects, "pack"));
    expect((await opens(source, scene.workspaces)).outcome.kind).toBe("ready");
    expect((await scene.shell("c-1", "restricted", "cat new.txt")).text).toBe("new");
  });
});

describe("a checkout beside an archive", () => {
  it("that was packed and not yet removed is what counts where the archive is damaged", async () => {
    await using scene = await createScene(sandbox);
    const source = await begun(scene);
    await scene.shell("c-1", "unrestricted", "echo new > new.txt");
    await endsAt(scene, "committed", parks);
    await rm(join(scene.data, "threads/c-1/parked/work.tar.gz"));
    const next = scene.restart();
    expect(await opens(source, next)).toMatchObject({ outcome: { kind: "ready" }, told: [] });
    expect((await scene.shell("c-1", "restricted", "cat new.txt", next)).text).toBe("new");
  });
});

describe("while a backup is taken", () => {
  it("nothing is parked and no archive goes; a parking that it overtakes is undone", async () => {
    await using scene = await createScene(sandbox);
    await begun(scene);
    await scene.shell("c-1", "unrestricted", "echo new > new.txt; mkdir built; echo kept > built/out");
    let end = markBackup(scene.data);
    expect(await parks(scene.workspaces)).toEqual({ kind: "left" });
    end();
    const overtaken = scene.restart({
      atRestStep: async (step) => {
        if (step === "committed") end = markBackup(scene.data);
      },
    });
    expect(await parks(overtaken)).toEqual({ kind: "left" });
    expect(await overtaken.candidates()).toEqual([]);
    expect(await namesIn(scene.data, "threads/c-1")).toEqual(["home", "parked", "place.json", "work"]);
    expect((await scene.shell("c-1", "restricted", "cat built/out")).text).toBe("kept");
    end();
    expect(await overtaken.candidates()).toEqual(["c-1"]);
    expect(await namesIn(scene.data, "threads/c-1")).toEqual(["home", "place.json", "work"]);
    expect(await parks(scene.workspaces)).toEqual({ kind: "parked" });
  });
});

const PARKING = ["packed", "compared", "committed", "gone"] as const;
const PUTTING = ["made", "inPlace"] as const;

/** A process that ends at a step: it never goes on, and what it left on the disk is all that there is. */
const endsAt = async (
  scene: Scene,
  step: string,
  work: (workspaces: All) => Promise<unknown>,
): Promise<void> => {
  const reached = Promise.withResolvers<void>();
  const workspaces = scene.restart({
    atRestStep: (at) => {
      if (at !== step) return Promise.resolve();
      reached.resolve();
      return new Promise(() => undefined);
    },
  });
  // As the next process has it: nothing of this one is under way but what hangs.
  await workspaces.candidates();
  void work(workspaces);
  await reached.promise;
};

describe("a process that ends", () => {
  it("at any step of parking leaves all of it to the next, which finishes what was decided", async () => {
    await using scene = await createScene(sandbox);
    const source = await begun(scene);
    for (const step of PARKING) {
      const id: ConversationId = `c-${step}`;
      await scene.base(id, source);
      await scene.shell(id, "unrestricted", "echo new > new.txt; rm a.txt; mkdir built; echo x > built/x");
      const before = await look(scene, undefined, id);
      const wholly = step === "gone" ? ["new.txt"] : ["built", "new.txt"];
      await endsAt(scene, step, async (workspaces) => parks(workspaces, 0, id));
      const isParked = step === "committed" || step === "gone";
      const without = scene.restart();
      // One of them is opened at once, the other after a look through all that rest.
      if (step !== "committed") {
        expect(await without.candidates(), step).toEqual(isParked ? [] : [id]);
        expect((await namesIn(scene.data, "threads", id)).includes("work"), step).toBe(!isParked);
        expect(without.parked(), step).toBe(isParked ? 1 : 0);
      }
      const { told } = await opens(source, without, id);
      expect(told, step).toEqual(step === "gone" ? [expect.anything()] : []);
      expect(await namesIn(scene.data, "threads", id, "work"), step).toEqual(expect.arrayContaining(wholly));
      expect(await look(scene, without, id), step).toBe(before);
      expect(await namesIn(scene.data, "staging"), step).toEqual([]);
      await scene.workspaces.discard(id);
    }
  });

  it("at any step of putting back leaves all of it to the next, and what is done then stays", async () => {
    await using scene = await createScene(sandbox);
    const source = await begun(scene);
    for (const step of PUTTING) {
      const id: ConversationId = `c-${step}`;
      await scene.base(id, source);
      await scene.shell(id, "unrestricted", "echo new > new.txt; rm a.txt; git add new.txt");
      const before = await look(scene, undefined, id);
      await parks(scene.restart(), 0, id);
      await endsAt(scene, step, (workspaces) => opens(source, workspaces, id));
      const next = scene.restart();
      expect(await opens(source, next, id), step).toMatchObject({ told: [{ kind: "whole" }] });
      expect(await look(scene, next, id), step).toBe(before);
      await scene.shell(id, "unrestricted", "echo later > later.txt", next);
      await next.candidates();
      expect((await scene.shell(id, "restricted", "cat later.txt", scene.restart())).text).toBe("later");
      expect(await namesIn(scene.data, "threads", id), step).toEqual(["home", "place.json", "work"]);
    }
  });
});

/** Killed as soon as it has said that it passed a step, wherever it is by then. */
const killedAt = async (scene: Scene, source: string, what: Doing, step: string): Promise<string> => {
  const story = join(import.meta.dirname, "idle-child.ts");
  const child = spawn(process.execPath, [story, scene.data, source, what], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line === step) child.kill("SIGKILL");
  if (child.signalCode === null && child.exitCode === null) await once(child, "exit");
  return child.signalCode ?? "ended by itself";
};

describe("SIGKILL", () => {
  it("while it is compared or put back leaves all of it to the next", async () => {
    await using scene = await createScene(sandbox);
    const source = await begun(scene);
    await scene.shell("c-1", "unrestricted", RICH);
    const before = await look(scene);
    for (const [what, step] of [
      ["parks", "packed"],
      ["opens", "made"],
    ] as const) {
      if (what === "opens") await parks(scene.restart());
      expect(await killedAt(scene, source, what, step)).toBe("SIGKILL");
      const next = scene.restart();
      expect((await opens(source, next)).outcome.kind).toBe("ready");
      expect(await look(scene, next), step).toBe(before);
    }
  });
});

const NAMES = [
  "a.txt",
  "b.txt",
  "d/x",
  "d",
  "run.sh",
  "ends.txt",
  "new",
  "-n",
  " s p ",
  "n\nl",
  "q\"'\\",
  "d/ö",
  "built/x",
  "y.o",
];
const name = fc.constantFrom(...NAMES);
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const path = name.map((text) => quoted(`./${text}`));

/** One change as somebody makes it; what is in its way, such as a directory of that name, makes it do nothing. */
const change: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(path, fc.uint8Array({ maxLength: 60 }))
    .map(([to, bytes]) => `echo ${Buffer.from(bytes).toString("base64")} | base64 -d > ${to}`),
  path.map((to) => `rm -rf ${to}`),
  path.map((to) => `mkdir -p ${to}`),
  fc
    .tuple(path, fc.constantFrom("600", "644", "755", "444", "777"))
    .map(([to, mode]) => `test -d ${to} && chmod 700 ${to} || chmod ${mode} ${to}`),
  fc.tuple(path, name).map(([to, from]) => `ln -s ${quoted(from)} ${to}`),
  fc.tuple(path, path).map(([from, to]) => `mv -T ${from} ${to}`),
  path.map((to) => `git add -f -- ${to}`),
  path.map((to) => `git rm -q --cached -r -- ${to}`),
  fc.constant(`git ${AUTHOR} commit -qm change`),
  fc.constant("printf 'new\\n*.sh\\n' > .gitignore"),
);

/** A directory that git ignores stands where it tracks a file: the directory itself is not tracked. */
const IN_PLACE = ["printf 'new\\n*.sh\\n' > .gitignore", "rm -rf './run.sh'", "mkdir -p './run.sh'"];

describe("whatever was changed", () => {
  it("comes back as it was, but for what git ignores and does not track", async () => {
    await using scene = await createScene(sandbox);
    const source = await begun(scene);
    let n = 0;
    const kept = `git ls-files -z --cached --others --exclude-standard | sort -zu | while IFS= read -r -d '' f; do
      test -e "./$f" -o -L "./$f" || continue;
      test -d "./$f" -a ! -L "./$f" && git check-ignore -q --no-index "./$f" && continue; stat -c '%F %a %N' "./$f"; test -L "./$f" -o -d "./$f" || sha256sum < "./$f"; done;
      git status --short --untracked-files=all; git log --format=%H; git ls-files -s; git diff | sha256sum`;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 25 }), async (changes) => {
        const id: ConversationId = `c-any-${(n += 1)}`;
        await scene.base(id, source);
        const script = changes.map((one) => `{ ${one}; } 2>/dev/null || true`).join("\n");
        expect((await scene.shell(id, "unrestricted", script)).code).toBe(0);
        const before = (await scene.shell(id, "restricted", kept)).text;
        expect(await parks(scene.workspaces, 0, id)).toEqual({ kind: "parked" });
        expect((await scene.shell(id, "restricted", kept)).text).toBe(before);
        await scene.workspaces.discard(id);
      }),
      { numRuns: 4, seed: testSeed(), endOnFailure: true, examples: [[IN_PLACE]] },
    );
  });
});
