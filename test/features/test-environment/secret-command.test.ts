/** A command of the model's with secrets: after one approval, of exactly this command on exactly this draft, once. */

import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { createSecretCommand } from "../../../src/features/test-environment/secret-command.ts";
import { createTestSurroundings } from "../../../src/features/test-environment/surroundings.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { ApprovedWrite, ToolRun } from "../../../src/ports/tools.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { commit, conversation, createScene, type Scene, startSandbox } from "../../workspace/scene.ts";
import { CANARY } from "./canary.ts";

const { signal } = new AbortController();
const NAMES = ["API_KEY", "OTHER_KEY"];
const surroundings = createTestSurroundings({
  secrets: { open: (_, names) => Object.fromEntries(names.map((name) => [name, `${CANARY}-${name}`])) },
  log: silentLog,
});

let sandbox: Sandbox;
let scene: Scene;
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox, { tests: surroundings });
});
afterAll(async () => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
});

let count = 0;
const drafted = async () => {
  const id: ConversationId = `c-command${(count += 1)}`;
  const repo = await scene.repository(id);
  await commit(repo, { "a.txt": "one\n" });
  const base = await scene.base(id, repo);
  await scene.workspaces.drafts.open(id, signal);
  await scene.shell(id, "draft", "echo two > a.txt");
  const tool = createSecretCommand({
    drafts: scene.workspaces.drafts,
    secrets: { listed: (of) => (of === repo ? NAMES.map((name) => ({ repo, name, by: null, at: 1 })) : []) },
  });
  const run = (input: object): ToolRun => ({
    conversation: conversation(id, { kind: "path", location: repo }, base),
    base,
    name: tool.spec.name,
    input,
    permission: "restricted",
    grants: [],
    safeMode: true,
  });
  return { id, run, writes: writesIn(tool) };
};

const writesIn = ({ writes }: Tool) => {
  if (writes === undefined) throw new Error("the tool writes nothing");
  return writes;
};

const PRINT = 'printf "%s" "${#API_KEY}:$API_KEY:${OTHER_KEY-}:"; cat a.txt';
const INPUT = { command: PRINT, secrets: ["API_KEY"] };

const errandOf = (fingerprint: string, { again = false, interrupted = false } = {}): ApprovedWrite => ({
  approved: { write: "secret_command", by: { id: "slack:UALICE" }, at: 1, fingerprint },
  asker: null,
  key: "k",
  since: 1,
  again,
  interrupted,
});

const proposed = async ({ run, writes }: Awaited<ReturnType<typeof drafted>>, input: object) => {
  const found = await writes.propose(run(input), { signal });
  if (found.kind !== "proposal") throw new Error(JSON.stringify(found));
  return found;
};

it("shows the whole command and all names, and gets the named secrets alone, once", async () => {
  const draft = await drafted();
  const { proposal, fingerprint, write } = await proposed(draft, INPUT);
  expect(write).toBe("secret_command");
  expect(proposal.texts).toEqual([
    { name: "Secrets", text: "API_KEY" },
    { name: "Command", text: PRINT },
  ]);
  const ran = await draft.writes.write(draft.run(INPUT), errandOf(fingerprint), { signal });
  expect(ran.wrote).toEqual({ kind: "done", name: "API_KEY" });
  expect(ran.outcome.text).toBe(`The command exited with status 0.\n${`${CANARY}-API_KEY`.length}:***::two`);
});

it("an approval covers no other command, names or draft, and no second try", async () => {
  const draft = await drafted();
  const { fingerprint } = await proposed(draft, INPUT);
  const others = [
    { ...INPUT, command: `${PRINT};` },
    { ...INPUT, secrets: NAMES },
  ];
  for (const other of others) {
    const ran = await draft.writes.write(draft.run(other), errandOf(fingerprint), { signal });
    expect(ran.wrote.kind).toBe("void");
    expect(ran.outcome.text).toMatch(/^Not run: /);
  }
  const interrupted = errandOf(fingerprint, { again: true, interrupted: true });
  const second = await draft.writes.write(draft.run(INPUT), interrupted, { signal });
  expect(second.wrote.kind).toBe("unknown");
  await scene.shell(draft.id, "draft", "echo three > a.txt");
  const changed = await draft.writes.write(draft.run(INPUT), errandOf(fingerprint), { signal });
  expect(changed.wrote.kind).toBe("void");
});

it("a new approval of a command whose first run was lost runs the command", async () => {
  const draft = await drafted();
  const { fingerprint } = await proposed(draft, INPUT);
  const ran = await draft.writes.write(draft.run(INPUT), errandOf(fingerprint, { again: true }), { signal });
  expect(ran.wrote).toEqual({ kind: "done", name: "API_KEY" });
});

it("a secret that is not stored is refused before people are asked, and without a draft nothing runs", async () => {
  const draft = await drafted();
  await expect(proposed(draft, { ...INPUT, secrets: ["NEVER_SET"] })).rejects.toThrow(
    "Not stored: NEVER_SET. An approver stores a secret with /parley secrets set NAME.",
  );
  await scene.workspaces.drafts.discard(draft.id);
  await expect(proposed(draft, INPUT)).rejects.toThrow("No draft is open. Call draft first.");
});

it("a command that a card would cut is refused before people are asked", async () => {
  const draft = await drafted();
  const { proposal } = await proposed(draft, { ...INPUT, command: "#".repeat(1_198) });
  expect(proposal.texts.at(-1)?.text).toHaveLength(1_198);
  for (const command of ["#".repeat(1_199), "#\n".repeat(401), "\u200b".repeat(200)])
    await expect(proposed(draft, { ...INPUT, command })).rejects.toThrow("at most 1200 characters");
});
