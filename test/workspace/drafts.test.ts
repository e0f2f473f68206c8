/** D42: a change is rehearsed in a copy, and what was shown is exactly what becomes real. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import type { DraftResult } from "../../src/thread/draft.ts";
import { commit, createScene, git, type Scene, startSandbox } from "./scene.ts";

const { signal } = new AbortController();

let sandbox: Sandbox;
let scene: Scene;
let repo: string;
let base: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox, { draft: { bytes: 2 ** 31, entries: 200_000, layersFrom: 0 } });
  repo = await scene.repository("shop");
  base = await commit(repo, {
    "a.txt": "one\n",
    "gone.txt": "x\n",
    "deep/b.txt": "b\n",
    ".gitignore": "ignored\nbuilt/\n",
    "Case.txt": "c\n",
  });
});
afterAll(async () => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
});

let count = 0;
const begin = async (): Promise<ConversationId> => {
  const id: ConversationId = `c-draft${(count += 1)}`;
  await scene.base(id, repo);
  expect(await scene.workspaces.drafts.open(id, signal)).toEqual({ kind: "open", again: false, files: 5 });
  return id;
};

const edit = (id: ConversationId, script: string) => scene.shell(id, "draft", script);

const seal = async (id: ConversationId, more: { testCommand?: string } = {}): Promise<DraftResult> => {
  const sealed = await scene.workspaces.drafts.seal(id, { title: "A change", ...more }, signal);
  if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
  return sealed.result;
};

const apply = (id: ConversationId, { tree }: Pick<DraftResult, "tree">, commits?: number) =>
  scene.workspaces.drafts.apply(id, { tree, base, ...(commits === undefined ? {} : { commits }) }, signal);

/** The mirror, by a thread that begins. */
const fetched = async (id: ConversationId, from: string): Promise<void> => {
  scene.clock.advance(61_000);
  await scene.base(id, from);
};

const CHANGE =
  "echo two >> a.txt; rm gone.txt; mkdir -p new/deep; echo n > new/deep/n.txt; cp /bin/true tool; printf '\\0\\1' > pic.bin; ln -s ../a.txt deep/link; echo secret > ignored";

describe("a draft", () => {
  it("is one a conversation, opened again as it stands, and nobody else's files change", async () => {
    const id = await begin();
    await edit(id, "echo two >> a.txt");
    expect(await scene.workspaces.drafts.open(id, signal)).toMatchObject({ kind: "open", again: true });
    expect((await edit(id, "cat a.txt")).text).toBe("one\ntwo");
    expect((await scene.shell(id, "restricted", "cat a.txt")).text).toBe("one");
    const failed = await scene.shell(id, "restricted", "echo x > a.txt");
    expect(failed.code).not.toBe(0);
  });

  it("is not there before it is opened, nor after it was dropped", async () => {
    const id: ConversationId = "c-none";
    await scene.base(id, repo);
    const { drafts } = scene.workspaces;
    expect(await scene.workspaces.policy(id, "draft")).toEqual({
      kind: "failed",
      message: "No draft is open: call draft first.",
    });
    expect(await drafts.tree(id, signal)).toEqual({ kind: "none" });
    expect(await drafts.seal(id, { title: "x" }, signal)).toEqual({ kind: "none" });
    expect(await apply(id, { tree: base })).toEqual({ kind: "gone" });
    await drafts.open(id, signal);
    await drafts.discard(id);
    expect(await drafts.tree(id, signal)).toEqual({ kind: "none" });
  });

  it("is sealed as the host reads it, with its test", async () => {
    const id = await begin();
    await edit(id, CHANGE);
    const result = await seal(id, { testCommand: "echo ran; touch left-behind; exit 3" });
    expect(result).toMatchObject({
      base,
      added: 3,
      removed: 1,
      filesInAll: 6,
      isDiffCut: false,
      test: { command: "echo ran; touch left-behind; exit 3", status: 3, tail: "ran" },
      commits: [{ title: "A change", tree: result.tree }],
      delicate: [
        { why: "executable", path: "tool" },
        { why: "binary", path: "pic.bin" },
        { why: "binary", path: "tool" },
        { why: "link", path: "deep/link" },
      ],
    });
    expect(result.files.map(({ path, change }) => `${change} ${path}`)).toEqual([
      "changed a.txt",
      "link deep/link",
      "deleted gone.txt",
      "added new/deep/n.txt",
      "added pic.bin",
      "added tool",
    ]);
    expect(result.diff).toContain("+two\n");
    const { tree, base: on, commits } = result;
    expect(await scene.workspaces.drafts.sealed(id)).toMatchObject({ tree, base: on, commits });
    // What the tests wrote went with their copy.
    expect(await scene.workspaces.drafts.tree(id, signal)).toEqual({ kind: "tree", tree: result.tree });
  });

  it("without changes is told to be so", async () => {
    const id = await begin();
    await edit(id, "touch ignored; touch a.txt; true");
    expect(await scene.workspaces.drafts.seal(id, { title: "x" }, signal)).toEqual({ kind: "unchanged" });
  });
});

describe("applying", () => {
  it("makes the checkout exactly that tree, on a branch, once; the conversation stays Restricted", async () => {
    const id = await begin();
    await edit(id, CHANGE);
    const { tree } = await seal(id);
    const applied = await apply(id, { tree });
    expect(applied).toMatchObject({ kind: "applied", branch: `parley/${id}`, tree });
    const look =
      "git rev-parse 'HEAD^{tree}' 'HEAD^'; git symbolic-ref --short HEAD; git status --porcelain; ls";
    const { text } = await scene.shell(id, "restricted", look);
    expect(text.split("\n").slice(0, 3)).toEqual([tree, base, `parley/${id}`]);
    // Nothing is left to commit, and nothing that was not shown came along.
    expect(text.split("\n").slice(3)).toEqual(["Case.txt", "a.txt", "deep", "new", "pic.bin", "tool"]);
    expect(await apply(id, { tree })).toEqual(applied);
    expect(await scene.restart().drafts.apply(id, { tree, base }, signal)).toEqual(applied);
    expect((await scene.shell(id, "restricted", "echo x > a.txt")).code).not.toBe(0);
  });

  it("is void once anything in the draft has changed, or another result was proposed", async () => {
    const id = await begin();
    await edit(id, "echo two >> a.txt");
    const first = await seal(id);
    await edit(id, "echo three >> a.txt");
    expect(await apply(id, first)).toMatchObject({
      kind: "void",
      why: expect.stringMatching(/draft has changed/),
    });
    const second = await seal(id);
    expect(await apply(id, first)).toMatchObject({ kind: "void" });
    expect(
      await scene.workspaces.drafts.apply(id, { tree: second.tree, base: "0".repeat(40) }, signal),
    ).toMatchObject({
      kind: "void",
    });
    expect(existsSync(join(scene.data, "threads", id, "work"))).toBe(false);
    expect(await apply(id, second)).toMatchObject({ kind: "applied", tree: second.tree });
  });

  it("reads the draft once for a click and what comes of it, and anew after every command", async () => {
    let reads = 0;
    const counting: Sandbox = {
      ...sandbox,
      run: (request, hooks) => {
        if (request.argv.some((word) => word.includes("pack-objects"))) reads += 1;
        return sandbox.run(request, hooks);
      },
    };
    const places = scene.restart({ sandbox: counting });
    const id = await begin();
    await edit(id, "echo two >> a.txt");
    const { tree } = await seal(id);
    expect(await places.drafts.tree(id, signal)).toEqual({ kind: "tree", tree });
    await scene.shell(id, "draft", "echo three >> a.txt", places);
    expect(await places.drafts.apply(id, { tree, base }, signal)).toMatchObject({ kind: "void" });
    await scene.shell(id, "draft", "sed -i '$ d' a.txt", places);
    reads = 0;
    expect(await places.drafts.tree(id, signal)).toEqual({ kind: "tree", tree });
    const once = reads;
    const applied = await places.drafts.apply(id, { tree, base }, signal);
    expect(applied).toMatchObject({ kind: "applied", tree });
    // What leaves the clean room is packed, too.
    expect([once, reads]).toEqual([1, 2]);
  });

  it("goes on from a checkout of one's own, keeps its commits and ignored files, and is void once that changed", async () => {
    const id: ConversationId = "c-own";
    await scene.base(id, repo);
    const mine = "git -c user.name=x -c user.email=x@y commit -qam mine";
    await scene.shell(
      id,
      "unrestricted",
      `echo own >> a.txt; ${mine}; mkdir built; echo b > built/b; echo loose > loose.txt`,
    );
    await scene.workspaces.drafts.open(id, signal);
    await edit(id, "echo two >> a.txt; rm loose.txt");
    const first = await seal(id);
    await scene.shell(id, "unrestricted", "echo later > later.txt");
    expect(await apply(id, first)).toMatchObject({
      kind: "void",
      why: expect.stringMatching(/checkout has changed/),
    });
    expect((await scene.shell(id, "restricted", "cat later.txt a.txt")).text).toBe("later\none\nown");
    await scene.shell(id, "unrestricted", "rm later.txt");
    expect(await apply(id, first)).toMatchObject({ kind: "applied", branch: `parley/${id}` });
    const look =
      "git rev-parse 'HEAD^{tree}'; git log --format=%s -2; git status --porcelain; cat built/b; ls";
    const { text } = await scene.shell(id, "restricted", look);
    expect(text.split("\n")).toEqual([
      first.tree,
      "A change",
      "mine",
      "b",
      "Case.txt",
      "a.txt",
      "built",
      "deep",
      "gone.txt",
    ]);
    // The next draft begins there.
    await scene.workspaces.drafts.open(id, signal);
    await edit(id, "echo three >> a.txt");
    const next = await seal(id);
    expect(await apply(id, next)).toMatchObject({ kind: "applied", tree: next.tree });
  });

  it("goes on from a checkout whose index does not tell the truth about its files", async () => {
    const id: ConversationId = "c-index";
    await scene.base(id, repo);
    await scene.shell(
      id,
      "unrestricted",
      "git update-index --assume-unchanged a.txt; echo hidden >> a.txt; echo b > ignored; git add -f ignored; git rm -q --cached Case.txt",
    );
    await scene.workspaces.drafts.open(id, signal);
    await edit(id, "echo two >> a.txt");
    const result = await seal(id);
    // WG2: the file of `git add -f` is part of the draft.
    expect(result.files.map(({ path }) => path)).toEqual(["a.txt", "ignored"]);
    expect(await apply(id, result)).toMatchObject({ kind: "applied", tree: result.tree });
    const { text } = await scene.shell(
      id,
      "restricted",
      "cat a.txt Case.txt ignored; git status --porcelain",
    );
    expect(text).toBe("one\nhidden\ntwo\nc\nb");
  });

  it("takes the first commits of several alone, and the rest afterwards", async () => {
    const id = await begin();
    const as = "git -c user.name=x -c user.email=x@y commit -qam";
    await edit(id, `echo two >> a.txt; ${as} First; echo three >> a.txt; ${as} Second; echo four >> a.txt`);
    const result = await seal(id);
    expect(result.commits.map(({ title }) => title)).toEqual(["First", "Second", "A change"]);
    const [first] = result.commits;
    if (first === undefined) throw new Error("no commit");
    expect(await apply(id, first, 1)).toMatchObject({ kind: "applied", tree: first.tree });
    expect(await apply(id, first, 1)).toMatchObject({ kind: "applied", tree: first.tree });
    expect((await scene.shell(id, "restricted", "cat a.txt")).text).toBe("one\ntwo");
    expect(await apply(id, result)).toMatchObject({ kind: "applied", tree: result.tree });
    const { text } = await scene.shell(id, "restricted", "cat a.txt; git rev-parse 'HEAD^{tree}'");
    expect(text).toBe(`one\ntwo\nthree\nfour\n${result.tree}`);
  });

  it("40.B is shown with what is known of its branch if its repository cannot be reached", async () => {
    const own = await scene.repository("leaving");
    await commit(own, { "a.txt": "one\n" });
    const id: ConversationId = "c-leaving";
    await scene.base(id, own);
    await scene.workspaces.drafts.open(id, signal);
    await edit(id, "echo two >> a.txt");
    await rename(own, `${own}-away`);
    scene.clock.advance(1);
    expect(await seal(id)).not.toHaveProperty("moved");
  });

  it("says by which commits its branch has moved on, and whether it still merges; nothing is rebased", async () => {
    const own = await scene.repository("moving");
    const began = await commit(own, { "a.txt": "one\n", "b.txt": "b\n" });
    const id: ConversationId = "c-moving";
    await scene.base(id, own);
    await scene.workspaces.drafts.open(id, signal);
    await edit(id, "echo two >> a.txt");
    expect(await seal(id)).not.toHaveProperty("moved");
    await commit(own, { "b.txt": "c\n" }, "Elsewhere");
    // 40.B: nobody has fetched it, and the card asks by itself.
    scene.clock.advance(1);
    const moved = { ref: "main", count: 1, titles: ["Elsewhere"], merges: true };
    expect(await seal(id)).toMatchObject({ base: began, moved });
    await commit(own, { "a.txt": "three\n" }, "Here");
    scene.clock.advance(1);
    const conflicting = await seal(id);
    expect(conflicting.moved).toEqual({ ...moved, count: 2, titles: ["Here", "Elsewhere"], merges: false });
    // Forced away, so that the mirror is another one: what was pinned is there all the same.
    await git(own, "reset", "-q", "--hard", began);
    await commit(own, { "b.txt": "d\n" }, "Anew");
    await fetched("c-last", own);
    expect((await seal(id)).moved).toEqual({ ...moved, titles: ["Anew"] });
    expect(
      (await scene.workspaces.drafts.apply(id, { tree: conflicting.tree, base: began }, signal)).kind,
    ).toBe("applied");
  });

  it("40.B is looked at once more at the click: the commits since its card, and those of before not again", async () => {
    const own = await scene.repository("clicked");
    await commit(own, { "a.txt": "one\n", "b.txt": "b\n" });
    const id: ConversationId = "c-clicked";
    await scene.base(id, own);
    const { drafts } = scene.workspaces;
    await drafts.open(id, signal);
    await edit(id, "echo two >> a.txt && mv b.txt moved.txt");
    const first = await seal(id, { testCommand: "true" });
    expect(first.files).toContainEqual(expect.objectContaining({ path: "moved.txt", from: "b.txt" }));
    expect(await drafts.movedOn(id, signal)).toBeNull();
    await commit(own, { "a.txt": "three\n" }, "Meanwhile");
    scene.clock.advance(1);
    const moved = { ref: "main", count: 1, titles: ["Meanwhile"], merges: false };
    expect(await drafts.movedOn(id, signal)).toEqual({ ...first, moved });
    expect(await drafts.movedOn(id, signal)).toBeNull();
    // The mirror knows what the forge has, so a forge that is away keeps nobody from deciding.
    await commit(own, { "b.txt": "c\n" }, "Unknown");
    await rename(own, `${own}-away`);
    scene.clock.advance(1);
    expect(await drafts.movedOn(id, signal)).toBeNull();
    await rename(`${own}-away`, own);
    await drafts.discard(id);
    expect(await drafts.movedOn(id, signal)).toBeNull();
  });

  it("40.B is not kept waiting at the click by a forge that does not answer", async () => {
    const own = await scene.repository("silent");
    const id: ConversationId = "c-silent";
    const on = await commit(own, { "a.txt": "one\n" });
    await scene.base(id, own);
    await scene.workspaces.drafts.open(id, signal);
    await edit(id, "echo two >> a.txt");
    const { tree } = await seal(id);
    await commit(own, { "b.txt": "c\n" }, "Unheard");
    scene.clock.advance(1);
    const asked = Promise.withResolvers<void>();
    const heard: (AbortSignal | undefined)[] = [];
    const { drafts } = scene.restart({
      sandbox: {
        ...sandbox,
        run: async (request, hooks) => {
          if (request.policy.mounts.some(({ source }) => source.startsWith(own))) {
            heard.push(hooks?.signal);
            asked.resolve();
            await new Promise((resolve) => hooks?.signal?.addEventListener("abort", resolve));
          }
          return sandbox.run(request, hooks);
        },
      },
      clock: {
        ...scene.clock,
        after: (wait, then) => {
          if (wait === 5_000) void asked.promise.then(then);
          return () => undefined;
        },
      },
    });
    expect(await drafts.movedOn(id, signal)).toBeNull();
    expect(heard.map((one) => one?.aborted)).toEqual([true]);
    expect(await drafts.apply(id, { tree, base: on }, signal)).toMatchObject({ kind: "applied" });
  });

  it("interrupted before it was noted is done again, and comes to the same", async () => {
    const id = await begin();
    await edit(id, CHANGE);
    const { tree } = await seal(id);
    const thread = join(scene.data, "threads", id);
    execFileSync("cp", ["-a", join(thread, "draft"), join(scene.root, "kept")]);
    const applied = await apply(id, { tree });
    await rename(join(scene.root, "kept"), join(thread, "draft"));
    await rm(join(thread, "applied.json"));
    expect(await scene.restart().drafts.apply(id, { tree, base }, signal)).toEqual(applied);
    const look = "git rev-parse 'HEAD^{tree}' 'HEAD^'; git status --porcelain";
    expect((await scene.shell(id, "restricted", look)).text).toBe(`${tree}\n${base}`);
  });

  it("interrupted between its two steps leaves the checkout as it was", async () => {
    const id: ConversationId = "c-cut";
    await scene.base(id, repo);
    await scene.shell(id, "unrestricted", "echo own >> a.txt");
    await scene.restart().drafts.open(id, signal);
    const aside = join(scene.data, "staging", "apply-cut");
    const work = join(scene.data, "threads", id, "work");
    await scene.shell(id, "unrestricted", "true");
    await mkdir(aside, { recursive: true });
    await writeFile(join(aside, "whose"), id);
    await rename(work, join(aside, "old"));
    await scene.restart().policy(id, "restricted");
    expect(await readFile(join(work, "a.txt"), "utf8")).toBe("one\nown\n");
  });
});

/** Why what a script leaves in a draft is not taken back. */
const refused = async (script: string): Promise<string> => {
  const id = await begin();
  await edit(id, script);
  const sealed = await scene.workspaces.drafts.seal(id, { title: "x" }, signal);
  if (sealed.kind === "refused" || sealed.kind === "failed") return sealed.message;
  throw new Error(JSON.stringify(sealed));
};

describe("what an agent leaves in a draft", () => {
  it("that leads out of the checkout, or is another repository, is refused with its place", async () => {
    expect(await refused("ln -s /etc/passwd l")).toBe('"l" is a link that leads out of the checkout.');
    expect(await refused("ln -s ../../x deep/l")).toMatch(/"deep\/l" is a link/);
    expect(await refused("ln -s .git/config l")).toMatch(/"l" is a link/);
    const as = "git -c user.name=x -c user.email=x@y";
    expect(await refused(`git init -q sub; cd sub; ${as} commit -q --allow-empty -m x`)).toMatch(
      /"sub\/?" is a repository/,
    );
    expect(await refused("mkdir -p 'x/.GIT' && echo h > 'x/.GIT/config'; echo ok > y")).toMatch(/git/);
  });

  it("of names that cannot be seen, or stand for another file elsewhere, is refused", async () => {
    expect(await refused("echo x > $'a\\nb'")).toMatch(/"a\[U\+000A\]b" has characters/);
    expect(await refused("echo x > $'evil\\xe2\\x80\\xaetxt.sh'")).toMatch(/has characters/);
    expect(await refused("echo x > $'\\xff'")).toMatch(/has characters/);
    expect(await refused("echo x > case.txt")).toMatch(/same file on many machines/);
    expect(await refused("mkdir DEEP; echo x > DEEP/y")).toMatch(/same file on many machines/);
    expect(await refused("echo x > $'caf\\xc3\\xa9'; echo x > $'cafe\\xcc\\x81'")).toMatch(/same file/);
  });

  it("beyond the bounds is refused", async () => {
    expect(await refused("head -c 34000000 /dev/zero > big")).toBe('"big" is larger than 32 MiB.');
    expect(await refused("mkdir many; cd many; seq 10001 | xargs touch")).toMatch(/more than 10,000 files/);
  });

  it("devices, sockets and pipes are no part of what is shown, and block nobody", async () => {
    const id = await begin();
    await edit(id, "mkfifo pipe; python3 -c 'import socket; socket.socket(1).bind(\"s\")'; echo x > y; true");
    expect((await seal(id)).files.map(({ path }) => path)).toEqual(["y"]);
    expect(await refused("rm gone.txt; mkfifo gone.txt")).toMatch(/can only add regular files/);
  });

  it("as hooks, filters and settings runs nowhere, neither when it is sealed nor when it is applied", async () => {
    const id = await begin();
    await edit(
      id,
      `mkdir hooks; printf '#!/bin/sh\\ntouch /work/ran' > hooks/reference-transaction; chmod +x hooks/*; cp hooks/* .git/
       mkdir -p .git/hooks; cp hooks/* .git/hooks/; git config core.hooksPath hooks; git config core.fsmonitor 'touch ran; false'
       git config filter.evil.clean 'touch ran; echo evil'; git config filter.evil.smudge 'touch ran; echo evil'; printf '*.txt filter=evil\\n' > .gitattributes; echo two >> a.txt`,
    );
    await rm(join(scene.data, "threads", id, "draft/work/ran"), { force: true });
    const result = await seal(id);
    expect(result.diff).toContain("+two");
    await apply(id, result);
    expect(
      (await scene.shell(id, "restricted", "cat a.txt; ls ran; git config core.hooksPath")).text,
    ).toMatch(/^one\ntwo\n/);
    expect(existsSync(join(scene.data, "threads", id, "work/ran"))).toBe(false);
    expect(existsSync(join(scene.data, "threads", id, "draft"))).toBe(false);
  });
});

describe("a test command", () => {
  it("that never ends, leaves something running or writes without end is ended, and the draft stays", async () => {
    const { drafts } = scene.restart({ testTimeout: 3_000 });
    const id = await begin();
    await edit(id, "echo two >> a.txt");
    const run = async (testCommand: string, by = drafts) => {
      const sealed = await by.seal(id, { title: "x", testCommand }, signal);
      if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
      return sealed.result.test;
    };
    expect(await run("echo begun; sleep 1000")).toMatchObject({ status: null, ended: "time", tail: "begun" });
    expect(await run("setsid sleep 1000 & disown; exit 0")).toMatchObject({ status: 0 });
    const flood = "head -c 1000000000 /dev/zero; echo; echo last; exit 4";
    expect(await run(flood, scene.workspaces.drafts)).toMatchObject({
      status: 4,
      tail: expect.stringMatching(/last$/),
    });
    expect(await drafts.tree(id, signal)).toMatchObject({ kind: "tree" });
  });
});

const refusal = (why: string) => ({
  kind: "failed",
  message: `The checkout cannot be drafted: ${why}, and all of it would have to be copied. Remove what was built or installed in it, or ask for Unrestricted.`,
});

describe("the bounds of a draft", () => {
  it("a copy that is too large or has too many files says so; what shares the tree has no bound", async () => {
    const small = scene.restart({ draft: { bytes: 1_000, entries: 50_000 } });
    const few = scene.restart({ draft: { bytes: 2 ** 30, entries: 3, layersFrom: 0 } });
    const shared: ConversationId = "c-shared";
    await scene.base(shared, repo);
    expect(await few.drafts.open(shared, signal)).toMatchObject({ kind: "open", files: 5 });
    const own: ConversationId = "c-bytes";
    await scene.base(own, repo);
    await scene.shell(own, "unrestricted", "true");
    expect(await small.drafts.open(own, signal)).toEqual(refusal("it is larger than 0 MiB"));
    expect(await few.drafts.open(own, signal)).toEqual(refusal("it has more than 3 files and directories"));
    expect(await scene.workspaces.drafts.open(own, signal)).toMatchObject({ kind: "open", files: 5 });
    expect(await scene.workspaces.drafts.open("c-nobody", signal)).toMatchObject({ kind: "failed" });
  });

  it("an empty repository is said to be one; one with an empty commit can be drafted", async () => {
    const empty = await scene.repository("empty");
    const id: ConversationId = "c-empty";
    expect((await scene.open(id, empty)).outcome).toMatchObject({
      failure: { message: expect.stringMatching(/empty has no commits yet\.$/) },
    });
    expect(await scene.workspaces.drafts.open(id, signal)).toMatchObject({ kind: "failed" });
    const first = await commit(empty, {});
    await scene.base(id, empty);
    expect(await scene.workspaces.drafts.open(id, signal)).toMatchObject({ kind: "open", files: 0 });
    await edit(id, "echo x > first.txt");
    const { tree } = await seal(id);
    const applied = await scene.workspaces.drafts.apply(id, { tree, base: first }, signal);
    expect(applied).toMatchObject({ kind: "applied", tree });
    expect((await scene.shell(id, "restricted", "cat first.txt")).text).toBe("x");
  });

  it("is a copy where layers cannot be joined, and lost where they cannot be any more", async () => {
    const layered = (id: ConversationId) => existsSync(join(scene.data, "threads", id, "draft/work/upper"));
    const shared = await begin();
    const { mounts } = sandbox.probe;
    expect(layered(shared)).toBe(mounts);
    const without: Sandbox = {
      ...sandbox,
      run: (request, hooks) =>
        request.policy.mounts.some(({ under = [] }) => under.length > 0)
          ? Promise.resolve({ kind: "failed", reason: "no layers here" })
          : sandbox.run(request, hooks),
    };
    const id: ConversationId = "c-copied";
    await scene.base(id, repo);
    expect(
      await scene
        .restart({ sandbox: without, draft: { bytes: 2 ** 30, entries: 99, layersFrom: 0 } })
        .drafts.open(id, signal),
    ).toMatchObject({ files: 5 });
    expect(layered(id)).toBe(false);
    await edit(id, "echo two >> a.txt");
    expect(await apply(id, await seal(id))).toMatchObject({ kind: "applied" });
    const other = scene.restart({ sandbox: { ...sandbox, probe: { ...sandbox.probe, mounts: false } } });
    if (mounts) expect(await other.drafts.tree(shared, signal)).toEqual({ kind: "none" });
    expect(await scene.workspaces.drafts.tree(shared, signal)).toMatchObject({ kind: "tree" });
  });

  it("it is dropped with its conversation, and after days without use", async () => {
    const { drafts, discard } = scene.workspaces;
    const [gone, old, used] = [await begin(), await begin(), await begin()];
    await discard(gone);
    expect(existsSync(join(scene.data, "threads", gone))).toBe(false);
    scene.clock.advance(10_000);
    await drafts.open(used, signal);
    await drafts.expire(scene.clock.now() - 5_000);
    expect(await drafts.tree(old, signal)).toEqual({ kind: "none" });
    expect(await scene.restart().drafts.tree(used, signal)).toMatchObject({ kind: "tree" });
  });
});

it("a pack of exactly what was shown can be pushed", async () => {
  const id = await begin();
  await edit(id, CHANGE);
  const { tree } = await seal(id);
  const plan = {
    name: "e1",
    commits: [{ tree, message: "m" }],
    parent: base,
    author: { name: "P", email: "p@x" },
    at: Date.UTC(2026, 10, 2),
  };
  const made = await scene.workspaces.changes.commit(id, plan, signal);
  if (made.kind === "failed") throw new Error(made.message);
  const pack = await scene.workspaces.changes.pack(id, made.value, signal);
  if (pack.kind === "failed") throw new Error(pack.message);
  await writeFile(join(scene.root, "out.pack"), pack.value);
  await git(repo, "index-pack", "--strict", "--keep", join(scene.root, "out.pack"));
});
