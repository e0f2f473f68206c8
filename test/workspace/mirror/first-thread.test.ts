/** 39.B3: the first thread of a repository costs little more than a plain clone, and nothing if the mirror was read before. */

import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { isAll } from "../../sample.ts";
import { importCommits, longHistory } from "../fast-import.ts";
import { createScene, git, startSandbox } from "../scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const { signal } = new AbortController();

/** The real sandbox; notes each git that asks a remote for objects, and the processes that it starts. */
const traced = (onReceive: () => void = () => undefined) => {
  const received: string[] = [];
  const started: string[] = [];
  const watching: Sandbox = {
    ...sandbox,
    run: async (request, hooks) => {
      const verb = request.argv[1] ?? "";
      if (request.argv[0] !== "git" || (verb !== "clone" && verb !== "fetch"))
        return sandbox.run(request, hooks);
      received.push(verb);
      onReceive();
      const ran = await sandbox.run({ ...request, env: { ...request.env, GIT_TRACE: "2" } }, hooks);
      const text = ran.kind === "exited" ? Buffer.concat([ran.head, ran.tail]).toString("latin1") : "";
      started.push(
        ...[...text.matchAll(/run_command: git ((?:pack-objects|index-pack).*)/g)].flatMap(
          ([, one]) => one ?? [],
        ),
      );
      return ran;
    },
  };
  return { watching, received, started };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

describe("39.B3 the first thread of a repository", () => {
  it("39.B3 reads it once, and its history is checked while the pack is written", async () => {
    const { watching, received, started } = traced();
    await using scene = await createScene(sandbox, { sandbox: watching });
    const source = await scene.repository("source");
    const head = await importCommits(source, longHistory(20, 200));
    const { outcome, lines } = await scene.open("c-1", source);
    expect(outcome).toMatchObject({ kind: "ready", base: { commit: head } });
    expect(received).toEqual(["clone"]);
    expect(started.filter((one) => one.startsWith("pack-objects"))).toHaveLength(1);
    const packs = started.filter((one) => one.startsWith("index-pack"));
    // Git walks the history no second time if the pack is known to hold everything that it names.
    expect(packs).toEqual([expect.stringMatching(/--check-self-contained-and-connected.*--strict/)]);
    expect(lines.join("\n")).toMatch(/^(Enumerating|Counting|Receiving) objects: /m);
    const config = await scene.shell(
      "c-1",
      "restricted",
      "git log --format=%H | wc -l; git fsck --connectivity-only",
    );
    expect(config).toEqual({ code: 0, text: "200" });
  });

  it("39.B3 finds the mirror that was read ahead; one that was not is read by the thread", async () => {
    const { watching, received } = traced();
    await using scene = await createScene(sandbox, { sandbox: watching });
    const [ahead, other] = [await scene.repository("ahead"), await scene.repository("other")];
    await importCommits(ahead, longHistory(5, 5));
    await importCommits(other, longHistory(5, 5));
    await scene.workspaces.readAhead({ kind: "path", location: ahead }, signal);
    expect(received).toEqual(["clone"]);
    await scene.base("c-1", ahead);
    expect(received).toEqual(["clone"]);
    await scene.base("c-2", other);
    expect(received).toEqual(["clone", "clone"]);
  });

  it("39.B3 shares one reading with a thread that begins meanwhile", async () => {
    const begun = Promise.withResolvers<void>();
    const { watching, received } = traced(() =>
      begun.resolve(scene.workspaces.readAhead({ kind: "path", location: source }, signal)),
    );
    await using scene = await createScene(sandbox, { sandbox: watching });
    const source = await scene.repository("source");
    await importCommits(source, longHistory(5, 50));
    const { outcome } = await scene.open("c-1", source);
    await begun.promise;
    expect([outcome.kind, received]).toEqual(["ready", ["clone"]]);
  });

  it("39.B3 a repository that cannot be read ahead stands in nobody's way", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await scene.workspaces.readAhead({ kind: "path", location: source }, signal);
    await scene.workspaces.readAhead({ kind: "path", location: `${source}-none` }, signal);
    const head = await importCommits(source, longHistory(2, 2));
    expect((await scene.base("c-1", source)).commit).toBe(head);
  });

  it("39.B3 a mirror that no thread came to is removed some days after it was read ahead", async () => {
    await using scene = await createScene(sandbox);
    const [unused, used] = [await scene.repository("unused"), await scene.repository("used")];
    for (const one of [unused, used]) await importCommits(one, longHistory(2, 2));
    await scene.workspaces.readAhead({ kind: "path", location: unused }, signal);
    const repos = join(scene.data, "repos");
    const [key = ""] = await readdir(repos);
    await scene.open("c-1", used, { workspaces: scene.restart() });
    expect(await readdir(repos)).toContain(key);
    await utimes(join(repos, key, "1.git"), 1, 1);
    await scene.open("c-2", used, { workspaces: scene.restart() });
    expect(await readdir(repos)).not.toContain(key);
    expect(await readdir(repos)).toHaveLength(1);
  });

  it.runIf(isAll)("39.B3 takes less than twice a plain clone", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await importCommits(source, longHistory(414, 20_000));
    const plain = await timed(() => git(scene.root, "clone", "--quiet", "--no-local", source, "plain"));
    const shared = await timed(() => git(scene.root, "clone", "--quiet", "--shared", source, "shared"));
    const ours = await timed(async () => {
      await scene.base("c-1", source);
      await scene.shell("c-1", "restricted", "git status");
    });
    console.log(`first tool call ${ours} ms, git clone --no-local ${plain} ms, --shared ${shared} ms`);
    expect(ours / plain).toBeLessThan(2);
  });
});
