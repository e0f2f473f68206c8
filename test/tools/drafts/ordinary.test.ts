/** D42: at least 70 of 100 ordinary changes need no Unrestricted: they are made, tested and sealed in a draft. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { ToolOutcome, Tools } from "../../../src/ports/tools.ts";
import { NO_FORGE } from "../../../src/ports/forge-access.ts";
import { createBlobs } from "../../../src/store/tables/blobs.ts";
import { createPictures } from "../../../src/tools/pictures/pictures.ts";
import { createTools } from "../../../src/app/tools.ts";
import { testModes } from "../../runtime/modes.ts";
import { ofWhole, SAMPLED } from "../../sample.ts";
import { testSeed } from "../../seed.ts";
import { commit, conversation, createScene, type Scene, startSandbox } from "../../workspace/scene.ts";
import { changes, files, type Ordinary, TESTS } from "./ordinary.ts";

/** Of a kind by turns, so that each is in it. */
const SAMPLE = ofWhole(changes.length, 6);
const some: readonly (readonly [string, Ordinary])[] = changes
  .map((change): readonly [string, Ordinary] => [`${change.kind}: ${change.what}`, change])
  .filter((_, index) => (index + testSeed()) % Math.ceil(changes.length / SAMPLE) === 0);

const { signal } = new AbortController();
let sandbox: Sandbox;
let scene: Scene;
let repo: string;
let tools: Tools;
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox);
  repo = await scene.repository("ordinary");
  await commit(repo, files);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  tools = await createTools({
    sessions: { setSessionMode: () => Promise.resolve({ kind: "done" }) },
    knowsModel: () => true,
    sandbox,
    places: scene.workspaces,
    drafts: scene.workspaces.drafts,
    outgoing: { changes: scene.workspaces.changes, identity: { name: "t", email: "t@example.test" } },
    pictures: createPictures(sandbox),
    blobs: createBlobs(scene.data, log),
    secrets: [],
    log,
    modes: testModes,
    forge: NO_FORGE,
  });
});
afterAll(async () => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
});

let count = 0;
const begin = async () => {
  const id: ConversationId = `c-ordinary${(count += 1)}`;
  const base = await scene.base(id, repo);
  const run = (name: string, input: unknown) => ({
    conversation: { ...conversation(id, { kind: "path", location: repo }, base), base },
    base,
    name,
    input,
    permission: "restricted" as const,
    grants: [],
    safeMode: true,
  });
  const call = (name: string, input: unknown): Promise<ToolOutcome> =>
    tools.run(run(name, input), { signal });
  const held = (name: string, input: unknown) => tools.dangers(run(name, input), { signal });
  expect((await call("draft", {})).isError).toBe(false);
  return {
    call,
    held,
    propose: (input: unknown) => tools.writes?.propose(run("propose", input), { signal }),
  };
};

it("at least 70 of 100 need no Unrestricted, and whichever does says what for", () => {
  const needing = changes.filter(({ needs }) => needs !== undefined);
  console.log(
    `${changes.length - needing.length} of ${changes.length} ordinary changes need no Unrestricted${some.length === changes.length ? "" : ` (${SAMPLED})`}; the others: ${needing.map(({ kind, what, needs }) => `${kind}, ${what} (${needs})`).join("; ")}`,
  );
  expect(changes).toHaveLength(50);
  expect((changes.length - needing.length) / changes.length).toBeGreaterThanOrEqual(0.7);
});

describe("in a draft", () => {
  it.each(some)("%s", async (_, { calls, test = TESTS, needs }) => {
    const { call, held, propose } = await begin();
    const outcomes: ToolOutcome[] = [];
    for (const { name, input } of calls) {
      const there = { ...input, where: "draft" };
      expect(await held(name, there), "nobody is asked").toEqual([]);
      outcomes.push(await call(name, there));
    }
    const failed = outcomes.filter(({ isError }) => isError).map(({ text }) => text);
    if (needs !== undefined) {
      expect(failed, "it can be done in a draft after all").not.toEqual([]);
      return;
    }
    expect(failed).toEqual([]);
    const proposed = await propose({ title: "A change", summary: "It is done.", test_command: test });
    expect(proposed).toMatchObject({ kind: "result", result: { test: { status: 0 } } });
  });
});
