/** Lines that were cited are where `git diff` says that they are, in the real sandbox. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { CitedLines } from "../../../src/ports/answers/lines.ts";
import type { Since } from "../../../src/text/citation.ts";
import { commit, createScene, git, type Scene, startSandbox } from "../scene.ts";
import { diffOracle, makeHistory, randomOf } from "./history.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const never = new AbortController().signal;

const looked = async (scene: Scene, location: string, cited: readonly CitedLines[]) => {
  const found = await scene.workspaces.lines.tip({ kind: "path", location }, scene.clock.now(), never);
  if (found.kind === "failed") throw new Error(found.why);
  const compared = await scene.workspaces.lines.compare(found.tip, cited, never);
  if (compared.kind === "failed") throw new Error(compared.why);
  return { tip: found.tip.commit, found: compared.found };
};

const citedAt = (at: string, file: string, from: number, to = from, now: Since | null = null): CitedLines => ({
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
    const { commits, files } = await makeHistory(path, random, { commits: 40, files: 12 });
    const cited = Array.from({ length: 300 }, () => {
      const at = random(commits.length);
      const named = [...(files[at] ?? [])].filter(([, lines]) => lines > 0);
      const [file = "", lines = 1] = named[random(named.length)] ?? [];
      const from = 1 + random(lines);
      return citedAt(commits[at] ?? "", file, from, Math.min(lines, from + random(6)));
    });
    const { tip, found } = await looked(scene, path, cited);
    expect(tip).toBe(commits.at(-1));
    const kinds = new Set<string>();
    for (const [index, one] of cited.entries()) {
      const oracle = await diffOracle(path, one.commit, tip);
      const { file, from, to } = one;
      const said = oracle({ file, from, to });
      const since = found[index];
      if (since === null || since === undefined || since === "unknown") expect(since).toBe(said === "changed" ? said : null);
      else if (since.kind === "moved") expect({ file: since.file, from: since.from, to: since.to }).toEqual(said);
      else {
        expect(said).toBe("changed");
        const { commit: by } = since;
        expect((await diffOracle(path, one.commit, by ?? ""))({ file, from, to })).toBe("changed");
        expect((await diffOracle(path, one.commit, `${by}^`))({ file, from, to })).not.toBe("changed");
      }
      kinds.add(since === null || typeof since !== "object" ? String(since) : since.kind);
    }
    expect([...kinds].toSorted()).toEqual(["changed", "moved", "null"]);
  });
});
