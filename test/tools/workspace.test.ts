/** The tools in the workspace's own places: what the runtime puts together, without the runtime. */
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { locateLauncher } from "../../sandbox/locate.ts";
import { createSandbox } from "../../sandbox/server.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { Permission } from "../../src/machine/vocabulary.ts";
import type { Conversation } from "../../src/ports/conversation.ts";
import type { Log } from "../../src/ports/host.ts";
import type { ToolOutcome, Tools } from "../../src/ports/tools.ts";
import { NO_FORGE } from "../../src/ports/forge-access.ts";
import { createBlobs } from "../../src/store/tables/blobs.ts";
import { createPictures } from "../../src/tools/pictures/pictures.ts";
import { createTools } from "../../src/app/tools.ts";
import { createWorkspaces } from "../../src/workspace/workspaces.ts";
import { testModes } from "../runtime/modes.ts";

let directory = "";
let sandbox: Sandbox;
let tools: Tools;
let call: (permission: Permission, name: string, input: unknown) => Promise<ToolOutcome>;

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const { signal } = new AbortController();

const git = (...args: readonly string[]): void => {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.test", ...args]);
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-tools-"));
  await chmod(directory, 0o755);
  const repo = join(directory, "repo");
  git("init", "-q", "-b", "main", repo);
  await writeFile(join(repo, "retry.ts"), "export const attempts = 3;\n");
  git("-C", repo, "add", "retry.ts");
  git("-C", repo, "commit", "-q", "-m", "first");

  const launcher = await locateLauncher(join(directory, "bin"));
  if (launcher.kind === "failed") throw new Error(launcher.reason);
  sandbox = await createSandbox({ launcher: launcher.path });
  const clock = { now: () => Date.now(), after: () => () => undefined };
  const places = createWorkspaces({ directory: join(directory, "data"), sandbox, clock, log });
  tools = await createTools({
    sessions: { setSessionMode: () => Promise.resolve({ kind: "done" }) },
    knowsModel: (name) => name === "claude-haiku-5",
    sandbox,
    places,
    drafts: places.drafts,
    outgoing: { changes: places.changes, identity: { name: "t", email: "t@example.test" } },
    pictures: createPictures(sandbox),
    blobs: createBlobs(directory),
    secrets: [],
    log,
    modes: testModes,
    forge: NO_FORGE,
  });
  const conversation: Conversation = {
    id: "c-one",
    surface: "console",
    title: "A test",
    repo: { kind: "path", location: repo },
    createdBy: "console:operator",
    createdAt: 0,
    updatedAt: 0,
    prefix: "",
    base: null,
    origin: null,
  };
  const opened = await places.open(conversation, { signal, onProgress: () => undefined });
  if (opened.kind !== "ready") throw new Error(JSON.stringify(opened));
  const { base } = opened;
  call = (permission, name, input) =>
    tools.run(
      { conversation: { ...conversation, base }, base, name, input, permission, grants: [], safeMode: false },
      { signal },
    );
});

afterAll(async () => {
  await tools.stopBackground("c-one");
  await sandbox.close();
  await rm(directory, { recursive: true, force: true });
});

/** A picture of one dot. */
const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("a conversation's life", () => {
  beforeEach(({ skip }) => skip(!sandbox.probe.restricted, sandbox.probe.refusal ?? ""));

  it("reads in Restricted, writes after the approval, and still sees its edits after a downgrade", async () => {
    const search = { search_terms: ["attempts"] };
    const found = await call("restricted", "keyword_search", search);
    expect(found.text).toBe("retry.ts:1:export const attempts = 3;");
    expect(
      (await call("restricted", "bash", { command: "git log --format=%s; git status --short" })).text,
    ).toBe("first\n");
    expect((await call("restricted", "bash", { command: "echo x >> retry.ts" })).isError).toBe(true);
    const change = { path: "retry.ts", patches: { operation: "replace", oldText: "3", newText: "5" } };
    expect((await call("restricted", "patch", change)).isError).toBe(true);

    const { text, diff } = await call("unrestricted", "patch", change);
    expect(text).toBe("<patches_applied>all</patches_applied>");
    expect(diff).toContain("-export const attempts = 3;\n+export const attempts = 5;\n");
    const committed = await call("unrestricted", "bash", {
      command:
        "git -c user.name=t -c user.email=t@t commit -qm second retry.ts && git log --format=%s && touch ~/kept",
    });
    expect(committed.text).toBe("second\nfirst\n");

    expect((await call("restricted", "keyword_search", search)).text).toBe(
      "retry.ts:1:export const attempts = 5;",
    );
    expect((await call("restricted", "bash", { command: "echo x >> retry.ts" })).isError).toBe(true);
  });

  it("rehearses a change in a draft without leaving Restricted", async () => {
    const inDraft = { where: "draft" } as const;
    const change = { path: "retry.ts", patches: { operation: "append_eof", newText: "// more\n" } };
    const closed = await call("restricted", "bash", { command: "true", ...inDraft });
    expect(closed).toMatchObject({ isError: true, text: "No draft is open: call draft first." });
    expect((await call("restricted", "patch", { ...change, ...inDraft })).text).toMatch(/No draft is open/);
    expect((await call("restricted", "draft", {})).text).toMatch(/The draft is open: .* 1 files/);
    expect((await call("restricted", "draft", {})).text).toMatch(/open already/);
    expect((await call("restricted", "patch", { ...change, ...inDraft })).diff).toContain("+// more\n");
    const look = { command: "cat retry.ts" };
    expect((await call("restricted", "bash", { ...look, ...inDraft })).text).toContain("// more\n");
    expect((await call("restricted", "bash", look)).text).not.toContain("// more");
    const search = { query: "more", search_terms: ["// more"] };
    expect((await call("restricted", "keyword_search", { ...search, ...inDraft })).text).toContain("// more");
    expect((await call("restricted", "keyword_search", search)).text).not.toContain("// more");
    const file = { path: "retry.ts" };
    const inIt = await call("restricted", "attach_file", { ...file, ...inDraft });
    const besideIt = await call("restricted", "attach_file", file);
    expect((inIt.files?.[0]?.size ?? 0) - (besideIt.files?.[0]?.size ?? 0)).toBe("// more\n".length);
    await call("restricted", "bash", { command: `echo ${DOT} | base64 -d > dot.png`, ...inDraft });
    expect((await call("restricted", "read_image", { path: "dot.png", ...inDraft })).isError).toBe(false);
    expect((await call("restricted", "read_image", { path: "dot.png" })).isError).toBe(true);
    const failed = await call("restricted", "bash", { command: "exit 3", ...inDraft });
    expect(failed).toMatchObject({
      isError: true,
      exit: 3,
      text: expect.stringContaining("[sandbox: draft"),
    });
    // Everything else is held as before.
    expect((await call("restricted", "patch", change)).text).toMatch(/disabled in Restricted mode/);
    expect((await call("restricted", "bash", { command: "echo x > retry.ts" })).isError).toBe(true);
    const waits = { command: "sleep 9", mode: "background", ...inDraft };
    expect((await call("restricted", "bash", waits)).text).toMatch(/no background commands/);
    expect((await call("restricted", "bash", { command: "git push --force", ...inDraft })).isError).toBe(
      true,
    );
  });

  it("has a place for the output of background commands", async () => {
    const { text } = await call("unrestricted", "bash", { command: "echo begun", mode: "background" });
    const file = /<output_file>(.+)<\/output_file>/.exec(text)?.[1];
    const tail = async () => (await call("unrestricted", "bash", { command: `cat ${file}` })).text;
    await expect.poll(tail).toBe("begun\n\n[background process completed]\n");
    expect((await call("unrestricted", "bash", { command: "git status --short" })).text).toBe("");
  });
});
