/** Code that notes cite, found and compared in real repositories in the real sandbox. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Sandbox } from "../../../sandbox/types.ts";
import { FEATURES } from "../../../src/app/features/list.ts";
import { type Core, defineFeature } from "../../../src/feature.ts";
import { citedIn, createCitedCode } from "../../../src/features/memory/cited-code.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { openFeaturesOf } from "../../adapters/open-features.ts";
import { openMemory } from "../../store/in-memory.ts";
import { commit, createScene, type Scene, startSandbox } from "../../workspace/scene.ts";
import { noteOf } from "./notes.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const never = new AbortController().signal;

const codeIn = async ({ workspaces: { commits }, clock }: Scene) =>
  createCitedCode({ commits, lines: await linesOf(commits, clock), clock }, never);

/** The line comparison of the features before this one, as the host passes it. */
const linesOf = async (commits: Core["commits"], clock: Core["clock"]): Promise<Core["lines"]> => {
  const provided: { lines: Core["lines"] } = { lines: null };
  const last = defineFeature({
    name: "last",
    settings: z.object({}),
    open: async (_, { lines }) => {
      provided.lines = lines;
      return {};
    },
  });
  const bot = { create: no, say: no, read: no, act: no, forget: no };
  const parts = { ...openMemory(), clock, log: silentLog, surfaces: () => [], bot, commits };
  await openFeaturesOf(parts, [...FEATURES, last]);
  return provided.lines;
};

const no = () => Promise.reject(new Error("there is no bot"));

const SOURCE = "export const retryPolicy = 5;\nexport const wait = 2;\n";

describe("code that a note cites", () => {
  it.each([
    ["`src/a.ts:3` retries", [{ kind: "lines", file: "src/a.ts", from: 3, to: 3 }]],
    ["See src/a.ts:3-9.", [{ kind: "lines", file: "src/a.ts", from: 3, to: 9 }]],
    [
      "Use `retryPolicy` and `billing.freeze()`.",
      [
        { kind: "symbol", name: "retryPolicy" },
        { kind: "symbol", name: "billing.freeze" },
      ],
    ],
    ["`billing` is frozen at 12:30, said `The team`.", []],
  ])("in %j", (text, cited) => {
    expect(citedIn(text)).toEqual(cited);
  });

  it("is what exists at the tip of the branch, and nothing else", async () => {
    await using scene = await createScene(sandbox);
    const location = await scene.repository("source");
    const tip = await commit(location, { "src/retry.ts": SOURCE });
    const found = await (await codeIn(scene)).find(
      "`src/retry.ts:2` waits, `src/retry.ts:9` does not exist, nor `gone.ts:1`, nor `missingName`, but `retryPolicy` does",
      { kind: "path", location },
    );
    expect(found).toEqual({
      cited: [
        { kind: "lines", file: "src/retry.ts", from: 2, to: 2, commit: tip },
        { kind: "symbol", name: "retryPolicy" },
      ],
      commit: tip,
    });
  });

  it("is gone when its lines change or its symbol disappears, and stays while other lines change", async () => {
    await using scene = await createScene(sandbox);
    const location = await scene.repository("source");
    const first = await commit(location, { "src/retry.ts": SOURCE });
    const repo = { kind: "path", location } as const;
    const code = await codeIn(scene);
    const note = noteOf({
      id: "n",
      at: 0,
      looked: first,
      cited: [
        { kind: "lines", file: "src/retry.ts", from: 2, to: 2, commit: first },
        { kind: "symbol", name: "retryPolicy" },
      ],
    });
    const check = () => {
      scene.clock.advance(1);
      return code.check(note, repo, scene.clock.now());
    };
    const moved = await commit(location, { "src/retry.ts": `// new\n${SOURCE}` });
    expect(await check()).toEqual({ commit: moved, gone: null });
    const changed = await commit(location, { "src/retry.ts": `// new\n${SOURCE.replace("= 2", "= 3")}` });
    expect(await check()).toEqual({ commit: changed, gone: "src/retry.ts:2" });
    const renamed = await commit(location, {
      "src/retry.ts": `// new\n${SOURCE.replace("retryPolicy", "retries")}`,
    });
    expect(await check()).toEqual({ commit: renamed, gone: "retryPolicy" });
  });

  it("is not decided while the repository is unreachable", async () => {
    await using scene = await createScene(sandbox);
    const code = await codeIn(scene);
    const repo = { kind: "path", location: "/nonexistent" } as const;
    expect(await code.find("`src/a.ts:1`", repo)).toEqual({ cited: [], commit: null });
    const note = noteOf({ id: "n", at: 0, looked: "c1", cited: [{ kind: "symbol", name: "a.b" }] });
    expect(await code.check(note, repo, scene.clock.now())).toBeNull();
  });
});
