/** Lines that were cited are where `git diff` says that they are, in the real sandbox. */

import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../../sandbox/types.ts";
import { createCitationTracker } from "../../../../src/features/answers/citations/lines.ts";
import type { CitedLines } from "../../../../src/ports/commits.ts";
import type { CitationChange } from "../../../../src/text/citation.ts";
import { commit, createScene, git, type Scene, startSandbox } from "../../../workspace/scene.ts";
import { type Cited, diffOracle, makeHistory, randomOf } from "./history.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const never = new AbortController().signal;

const looked = async (scene: Scene, location: string, cited: readonly CitedLines[]) => {
  scene.clock.advance(1);
  const lines = createCitationTracker(scene.workspaces.commits);
  const found = await lines.tip({ kind: "path", location }, scene.clock.now(), never);
  if (found.kind === "failed") throw new Error("no tip");
  const compared = await lines.compare(found.tip, cited, never);
  if (compared.kind === "failed") throw new Error("not compared");
  return { tip: found.tip.commit, found: compared.value };
};

const citedAt = (
  at: string,
  file: string,
  from: number,
  to = from,
  now: CitationChange | null = null,
): CitedLines => ({
  commit: at,
  file,
  from,
  to,
  blob: null,
  stood: at,
  now,
});

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");

describe("lines that were cited", () => {
  it("are where git diff says, over a history with renames, reverts and merges", async () => {
    await using scene = await createScene(sandbox);
    const path = await scene.repository("source");
    const random = randomOf(7);
    const { commits, files } = await makeHistory(path, random, { commits: 25, files: 12 });
    const says = oraclesOf(path);
    const kinds = new Set<string>();
    for (const end of [15, commits.length]) {
      await git(path, "update-ref", "refs/heads/main", commits[end - 1] ?? "");
      const cited = Array.from({ length: 120 }, () => {
        const at = random(end);
        const named = [...(files[at] ?? [])].filter(([, lines]) => lines > 0);
        const [file = "", lines = 1] = named[random(named.length)] ?? [];
        const from = 1 + random(lines);
        return citedAt(commits[at] ?? "", file, from, Math.min(lines, from + random(6)));
      });
      const { tip, found } = await looked(scene, path, cited);
      expect(tip).toBe(commits[end - 1]);
      for (const [index, { commit: at, file, from, to }] of cited.entries()) {
        const since = found[index] ?? null;
        const said = await says(at, tip, { file, from, to });
        if (since === null) expect(said).toEqual({ file, from, to });
        else if (since === "unknown" || since.kind === "changed") {
          expect(said).toBe("changed");
          const by = since === "unknown" ? "" : (since.commit ?? "");
          expect(await says(at, by, { file, from, to })).toBe("changed");
          expect(await says(at, `${by}^`, { file, from, to })).not.toBe("changed");
        } else expect({ file: since.file, from: since.from, to: since.to }).toEqual(said);
        kinds.add(since === null || since === "unknown" ? String(since) : since.kind);
      }
    }
    expect([...kinds].toSorted()).toEqual(["changed", "moved", "null"]);
  });

  it("are told of by the commit that changed them, once, and stand again when it is reverted", async () => {
    await using scene = await createScene(sandbox);
    const path = await scene.repository("source");
    const first = await commit(path, { "a.txt": numbered(1, 9) });
    const cited = citedAt(first, "a.txt", 5);
    await commit(path, { "a.txt": `new\n${numbered(1, 9)}` });
    const by = await commit(path, { "a.txt": `new\n${numbered(1, 9).replace("line 5", "five")}` });
    await commit(path, { "b.txt": "other\n" });
    expect((await looked(scene, path, [cited])).found).toEqual([{ kind: "changed", commit: by }]);
    await commit(path, { "a.txt": `new\n${numbered(1, 9).replace("line 5", "5")}` });
    const now = { kind: "changed", commit: by } as const;
    expect((await looked(scene, path, [{ ...cited, now }])).found).toEqual([now]);
    const reverted = await commit(path, { "a.txt": `new\n${numbered(1, 9)}` });
    expect((await looked(scene, path, [{ ...cited, now }])).found).toEqual([
      { kind: "moved", file: "a.txt", from: 6, to: 6, commit: reverted },
    ]);
  });

  it("of a file that is gone have changed, and those of a renamed one stand there", async () => {
    await using scene = await createScene(sandbox);
    const path = await scene.repository("source");
    const first = await commit(path, { "a.txt": numbered(1, 30), "b.txt": "gone\n" });
    await git(path, "mv", "a.txt", "c d.txt");
    await rm(`${path}/b.txt`);
    const by = await commit(path, {});
    expect(
      (await looked(scene, path, [citedAt(first, "a.txt", 3), citedAt(first, "b.txt", 1)])).found,
    ).toEqual([
      { kind: "moved", file: "c d.txt", from: 3, to: 3, commit: by },
      { kind: "changed", commit: by },
    ]);
  });

  it("at a commit that was pushed away are compared as long as a conversation holds it, and by their blob else", async () => {
    await using scene = await createScene(sandbox);
    const path = await scene.repository("source");
    const kept = await commit(path, { "a.txt": numbered(1, 9) });
    const away = await commit(path, { "a.txt": `new\n${numbered(1, 9)}` });
    const blob = await git(path, "rev-parse", `${kept}:a.txt`);
    await scene.base("c-1", path);
    await git(path, "reset", "--quiet", "--hard", kept);
    const tip = await commit(path, { "b.txt": "instead\n" });
    const never = { ...citedAt("0".repeat(40), "a.txt", 4), blob };
    const { found } = await looked(scene, path, [citedAt(away, "a.txt", 4), never, { ...never, blob: null }]);
    expect(found).toEqual([{ kind: "moved", file: "a.txt", from: 3, to: 3, commit: tip }, null, "unknown"]);
  });
});

/** Each two commits are compared once. */
const oraclesOf = (path: string) => {
  const known = new Map<string, ReturnType<typeof diffOracle>>();
  return async (from: string, to: string, cited: Cited): Promise<Cited | "changed"> => {
    const found = known.get(`${from} ${to}`) ?? diffOracle(path, from, to);
    known.set(`${from} ${to}`, found);
    return (await found)(cited);
  };
};
