/**
 * Writing to a repository on the wire-level forge: the real client, git's own protocol and the real sandbox, and what tests
 * ask of them. A file that uses it opens it before all and closes it after.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../../../../sandbox/types.ts";
import type { ConversationId } from "../../../../src/machine/id.ts";
import type { Permission, Write } from "../../../../src/machine/vocabulary.ts";
import type { RepositoryBinding } from "../../../../src/ports/conversation.ts";
import type { Outgoing } from "../../../../src/ports/outgoing.ts";
import type {
  ApprovedWrite,
  ProposedWrite,
  ToolRun,
  Writes,
  WrittenResult,
} from "../../../../src/ports/tools.ts";
import { createProposeTool } from "../../../../src/tools/drafts/propose.ts";
import { NOBODY_CONNECTED, type WritesInName } from "../../../../src/features/forge/people/in-name.ts";
import { commentOnIssue, fileIssue, labelIssue } from "../../../../src/features/forge/tools/issue-writes.ts";
import { postReview } from "../../../../src/features/forge/tools/post-review.ts";
import { openPullRequest } from "../../../../src/features/forge/tools/pull-write.ts";
import { createDraftPulls } from "../../../../src/features/forge/tools/draft-pulls.ts";
import { createForgeWriting } from "../../../../src/features/forge/tools/writes.ts";
import { createBlobs } from "../../../../src/store/tables/blobs.ts";
import type { CommandPlaces } from "../../../../src/workspace/checkout/policy.ts";
import type { Tool } from "../../../../src/tools/tool.ts";
import { writesOf } from "../../../../src/tools/writing.ts";
import { scratch } from "../../../scratch.ts";
import type { FakeForge } from "../../../fakes/forge/fake.ts";
import { forge, forgesOn, NOON, repo, signal, TOKEN } from "../world.ts";
import {
  commit,
  conversation,
  createScene,
  git,
  type Scene,
  startSandbox,
} from "../../../workspace/scene.ts";

let sandbox: Sandbox;
let scene: Scene;
let source: string;
let base: string;

export const openWriting = async (): Promise<void> => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox);
  source = await scene.repository("shop");
  base = await commit(source, { "src/retry.js": "export const ATTEMPTS = 0;\n", "old.txt": "x\n" });
};

export const closeWriting = async (): Promise<void> => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
};

/** The commit that conversations begin at. */
export const baseCommit = (): string => base;

/** Somebody else's commit on the branch that conversations begin at, which no host has fetched. */
export const moveOn = async (title: string): Promise<void> => {
  await commit(source, { "elsewhere.txt": `${title}\n` }, title);
  scene.clock.advance(1);
};

/** The branch is what it was for the tests that follow. */
export const moveBack = async (): Promise<void> => {
  await git(source, "reset", "--quiet", "--hard", base);
  scene.clock.advance(1);
};

/** A command of an agent in Unrestricted mode. */
export const shell = async (id: ConversationId, script: string): Promise<void> => {
  await scene.shell(id, "unrestricted", script);
};

const WRITES = ["contents=write", "issues=write", "pull_requests=write"];

/** The forge with the repository that conversations work on; `without`: a permission that the token lacks. */
export const world = async (without = ""): Promise<FakeForge> => {
  const fake = await forge();
  const known = fake.world.tokens.get(TOKEN);
  const permissions = [...(known?.permissions ?? []), ...WRITES].filter((one) => one !== without);
  fake.world.tokens.set(TOKEN, { repos: ["acme/shop"], permissions });
  const root = scratch("forge-git");
  mkdirSync(join(root, "acme"));
  execFileSync("git", ["clone", "-q", "--bare", source, join(root, "acme/shop.git")]);
  const held = fake.world.repos.get("acme/shop");
  if (held === undefined) throw new Error("no repository");
  held.git = { root, path: "/acme/shop.git" };
  fake.world.addIssue("acme/shop", { title: "Uploads crash", author: "ana", at: NOON });
  return fake;
};

export const shop = (fake: FakeForge) => {
  const held = fake.world.repos.get("acme/shop");
  if (held?.git == null) throw new Error("no repository");
  const directory = `${held.git.root}${held.git.path}`;
  return { ...held, run: (...args: readonly string[]) => git(directory, ...args) };
};

let count = 0;
/** A conversation whose checkout has changed as the script says. */
export const changed = async (script: string): Promise<ConversationId> => {
  const id: ConversationId = `c-pull${++count}`;
  await scene.base(id, source);
  if (script !== "") await scene.shell(id, "unrestricted", script);
  return id;
};

/** The same where it is the second of two, beside one called api, and the change is made in it. */
export const changedBeside = async (script: string): Promise<ConversationId> => {
  const id: ConversationId = `c-pull${++count}`;
  const other = await scene.repository(`api${count}`);
  await commit(other, { "a.txt": "a\n" });
  const bound: RepositoryBinding = {
    kind: "path",
    location: other,
    name: "api",
    beside: [{ kind: "path", location: source, name: "shop" }],
  };
  const hooks = { signal, onProgress: () => undefined };
  await scene.workspaces.open(conversation(id, bound, null), hooks);
  const places: CommandPlaces = { policy: (asked, hold) => scene.workspaces.policy(asked, hold, "shop") };
  await scene.shell(id, "unrestricted", script, places);
  return id;
};

export const FIX = "sed -i s/0/3/ src/retry.js; rm old.txt; printf 'a\\n' > new.txt";
export const PULL = { title: "Send at all", body: "ATTEMPTS was 0.\n\nFixes #1" };

const silent = { error: () => undefined };

const redact = (text: string): string => text.replaceAll(TOKEN, "***");

const outgoing = (): Outgoing => ({
  changes: scene.workspaces.changes,
  identity: { name: "Parley", email: "bot@example.org" },
});

const forgingOn = (fake: FakeForge, names = NOBODY_CONNECTED): readonly Tool[] => {
  const writing = createForgeWriting(forgesOn(fake), redact, names);
  return [
    writing(openPullRequest(outgoing())),
    writing(fileIssue),
    writing(commentOnIssue),
    writing(labelIssue),
    writing(postReview),
  ];
};

/** `names`: in whose name is written; nobody is connected without them. */
export const writesOn = (fake: FakeForge, names?: WritesInName): Writes =>
  writesOf(forgingOn(fake, names), silent);

/** The same with proposals of drafts, which other conversations than `changed` made have. */
export const proposingOn = (fake: FakeForge): Writes =>
  writesOf(
    [
      createProposeTool({
        drafts: scene.workspaces.drafts,
        pulls: createDraftPulls(forgesOn(fake), outgoing()),
        blobs: createBlobs(scene.data),
        redact,
      }),
      ...forgingOn(fake),
    ],
    silent,
  );

/** A conversation with a draft that has changed as the script says. */
export const drafted = async (script: string): Promise<ConversationId> => {
  const id = await changed("");
  await openWith(id, script);
  return id;
};

/** Made anew, after what people clicked at noon. */
export const redraft = async (id: ConversationId, script: string): Promise<void> => {
  await scene.workspaces.drafts.discard(id);
  scene.clock.advance(Math.max(0, NOON + 60_000 - scene.clock.now()));
  await openWith(id, script);
};

const openWith = async (id: ConversationId, script: string): Promise<void> => {
  const opened = await scene.workspaces.drafts.open(id, signal);
  if (opened.kind === "failed") throw new Error(opened.message);
  await inDraft(id, script);
};

export const inDraft = async (id: ConversationId, script: string): Promise<string> =>
  (await scene.shell(id, "draft", script)).text;

/** What was handed to people as a file. */
export const blob = async (hash: string): Promise<string> =>
  Buffer.from((await createBlobs(scene.data).get(hash)) ?? []).toString("utf8");

/** What a command of the conversation reads in its own checkout. */
export const reads = async (id: ConversationId, script: string): Promise<string> =>
  (await scene.shell(id, "restricted", script)).text;

export const callOf = (
  name: Write | "propose",
  input: unknown,
  id: ConversationId = "c-none",
  permission: Permission = "restricted",
): ToolRun => ({
  conversation: { ...conversation(id, repo, null) },
  base: { commit: base, ref: "main", cwd: "/work" },
  name,
  input,
  permission,
  grants: [],
  safeMode: true,
});

export const shown = async (
  fake: FakeForge,
  call: ToolRun,
): Promise<ProposedWrite & { kind: "proposal" }> => {
  const proposed = await writesOn(fake).propose(call, { signal });
  if (proposed.kind !== "proposal") throw new Error(JSON.stringify(proposed));
  return proposed;
};

export const refusal = async (fake: FakeForge, call: ToolRun): Promise<string> => {
  const proposed = await writesOn(fake).propose(call, { signal });
  if (proposed.kind !== "refused") throw new Error(JSON.stringify(proposed));
  expect(proposed.outcome.isError).toBe(true);
  return proposed.outcome.text;
};

export const errandOf = (write: Write, fingerprint: string, key = "k".repeat(64)): ApprovedWrite => ({
  approved: { write, by: { id: "slack:U2", name: "dora" }, at: NOON, fingerprint },
  asker: { id: "slack:U1", name: "bob @acme/all" },
  key,
  since: NOON,
  again: false,
  interrupted: false,
});

export const approve = async (fake: FakeForge, call: ToolRun, key?: string): Promise<WrittenResult> => {
  const { write, fingerprint } = await shown(fake, call);
  return writesOn(fake).write(call, errandOf(write, fingerprint, key), { signal });
};

export const posts = (fake: FakeForge): readonly string[] =>
  fake.calls.flatMap(({ operation, exchange: { method } }) =>
    method === "GET" || operation === "git/list" ? [] : [operation],
  );
