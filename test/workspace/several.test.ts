/** Several repositories of one conversation stand side by side, all readable, one written at a time; one alone is as it was. */

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import {
  type Base,
  type RepositoryBinding,
  type Conversation,
  workspaceOf,
} from "../../src/ports/conversation.ts";
import { openingMessage } from "../../src/runtime/live/opening-message.ts";
import { parseCitation } from "../../src/text/citation.ts";
import { type All, commit, conversation, createScene, git, type Scene, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
let scene: Scene;
let shop: string;
let api: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox);
  shop = await scene.repository("shop");
  await commit(shop, { "src/cart.ts": "one\ntwo\n", "AGENTS.md": "Shop: run npm test.\n" }, "cart");
  api = await scene.repository("api");
  await commit(api, { "src/cart.ts": "eins\nzwei\ndrei\n", "AGENTS.md": "Api: run make.\n" }, "routes");
});
afterAll(async () => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
});

const { signal } = new AbortController();

const both = (): RepositoryBinding => ({
  kind: "path",
  location: shop,
  name: "shop",
  beside: [{ kind: "path", location: api, name: "api" }],
});

const open = async (
  id: ConversationId,
  repo: RepositoryBinding = both(),
  workspaces: All = scene.workspaces,
  base: Base | null = null,
): Promise<Conversation> => {
  const opened = await workspaces.open(conversation(id, repo, base), {
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  if (opened.kind !== "ready") throw new Error(JSON.stringify(opened));
  return conversation(id, repo, opened.base);
};

const shell = async (
  id: ConversationId,
  permission: "restricted" | "unrestricted" | "draft",
  script: string,
  on?: string,
): Promise<{ readonly code: number; readonly text: string }> =>
  scene.shell(id, permission, script, {
    policy: (asked, hold) => scene.workspaces.policy(asked, hold, on),
  });

describe("several repositories", () => {
  it("stand side by side under their names, each with its history", async () => {
    const { base } = await open("c-both");
    expect(base).toMatchObject({ cwd: "/repos", name: "shop", beside: [{ name: "api", ref: "main" }] });
    const seen = await shell(
      "c-both",
      "restricted",
      "pwd; ls; cat shop/src/cart.ts api/src/cart.ts; for r in shop api; do git -C $r log --format=%s; git -C $r status --short; done",
    );
    expect(seen.text).toBe(
      ["/repos", "api", "shop", "one", "two", "eins", "zwei", "drei", "cart", "routes"].join("\n"),
    );
  });

  it("a change to one cannot write the other, and the one that is allowed can be written", async () => {
    await open("c-write");
    const script =
      "echo new > shop/new.txt; echo shop $?; echo new > api/new.txt; echo api $?; git -C api commit -qm x --allow-empty; echo commit $?; echo new > elsewhere; echo root $?";
    const first = await shell("c-write", "unrestricted", script);
    expect(first.text).toMatch(/shop 0\n[^]*api 1\n[^]*commit 128\n[^]*root 1$/);
    const second = await shell("c-write", "unrestricted", script, "api");
    expect(second.text).toMatch(/shop 1\n[^]*api 0\n[^]*root 1$/);
    const left = await shell("c-write", "restricted", "ls shop api; echo no > shop/x || echo refused");
    expect(left.text).toMatch(
      /^api:\nAGENTS\.md\nnew\.txt\nsrc\n\nshop:\nAGENTS\.md\nnew\.txt\nsrc\n[^]*refused$/,
    );
    expect(await git(shop, "status", "--short")).toBe("");
  });

  it("a sub-agent reads its parent's, and another name than theirs opens nothing", async () => {
    await open("c-agent");
    const seen = await shell("c-agent-e3-1", "restricted", "cat shop/src/cart.ts api/src/cart.ts | wc -l");
    expect(seen.text).toBe("5");
    expect(await scene.workspaces.policy("c-agent", "unrestricted", "web")).toMatchObject({ kind: "failed" });
  });

  it("are cited by folder, each against its own commit", async () => {
    const held = await open("c-cite");
    const cited = [
      "shop/src/cart.ts:2",
      "api/src/cart.ts:3",
      "shop/src/cart.ts:3",
      "src/cart.ts:1",
      "api/no.ts:1",
    ];
    const parsed = cited.flatMap((one) => parseCitation(one) ?? []);
    const found = await scene.workspaces.check(held, held.base ?? fail(), parsed);
    expect(found.map(({ path, from, status, file }) => `${path}:${from} ${status} ${file}`)).toEqual([
      "shop/src/cart.ts:2 found shop/src/cart.ts",
      "api/src/cart.ts:3 found api/src/cart.ts",
      "shop/src/cart.ts:3 missing shop/src/cart.ts",
      "src/cart.ts:1 missing null",
      "api/no.ts:1 missing api/no.ts",
    ]);
  });

  it("are told to the model with the guidance of each for its folder", async () => {
    const held = await open("c-told");
    const guidance = await scene.workspaces.guidance(held);
    const told = openingMessage(held, held.base ?? fail(), guidance);
    expect(told).toContain("Repositories, side by side (2):\n- shop/: ");
    expect(told).toContain("Working directory: /repos");
    expect(told).toMatch(
      /api\/AGENTS\.md at this commit: [^\n]*, for api\/ alone\.[^\n]*\n\| Api: run make\./,
    );
    expect(told).toMatch(/shop\/AGENTS\.md at this commit: [^\n]*, for shop\/ alone\./);
  });

  it.each([0, 1])(
    "work on where number %i has vanished, and the conversation knows which is missing",
    async (gone) => {
      const lost = { kind: "path", location: join(scene.root, "lost"), name: "lost" } as const;
      const kept = { kind: "path", location: api, name: "api" } as const;
      const [first, second] = gone === 0 ? [lost, kept] : [kept, lost];
      const held = await open(`c-lost${gone}`, { ...first, beside: [second] });
      expect(held.base?.name).toBe("api");
      expect(held.base?.missing).toEqual([{ name: "lost", why: expect.stringContaining("lost") as string }]);
      expect((await shell(held.id, "unrestricted", "ls; echo x > api/new && echo written")).text).toBe(
        "api\nwritten",
      );
      expect(openingMessage(held, held.base ?? fail(), [])).toContain("- lost: could not be opened.");
    },
  );

  it("fail where none can be opened, each with its reason", async () => {
    const repo = { kind: "path", location: join(scene.root, "no1"), name: "no1" } as const;
    const bound: RepositoryBinding = {
      ...repo,
      beside: [{ ...repo, location: join(scene.root, "no2"), name: "no2" }],
    };
    const outcome = await scene.workspaces.open(
      { ...conversation("c-none", repo, null), repo: bound },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    expect(outcome).toMatchObject({ kind: "failed", failure: { kind: "workspace" } });
    expect(JSON.stringify(outcome)).toMatch(/no1[^]*no2/);
  });

  it("stay the same in the next process, at their commits and with what was changed", async () => {
    const held = await open("c-again");
    await shell("c-again", "unrestricted", "echo kept > api/kept", "api");
    await commit(shop, { "later.txt": "x\n" });
    const next = scene.restart();
    const again = await open("c-again", both(), next, held.base);
    expect(again.base).toEqual(held.base);
    const ran = await scene.shell("c-again", "restricted", "ls shop; cat api/kept", next);
    expect(ran.text).toBe("AGENTS.md\nsrc\nkept");
  });

  it("go on in another conversation with what was changed in each", async () => {
    const held = await open("c-from");
    await shell("c-from", "unrestricted", "echo here > api/here", "api");
    const carried = await scene.workspaces.carry(held, "c-to", new AbortController().signal);
    expect(carried).toEqual({ kind: "copied", base: held.base });
    await open("c-to", both(), scene.workspaces, held.base);
    expect((await shell("c-to", "restricted", "cat api/here; cat shop/src/cart.ts")).text).toBe(
      "here\none\ntwo",
    );
  });

  it("rest and are removed together", async () => {
    await open("c-rest");
    await shell("c-rest", "unrestricted", "echo a > shop/a", "shop");
    await shell("c-rest", "unrestricted", "echo b > api/b", "api");
    expect((await scene.workspaces.candidates()).filter((id) => id.startsWith("c-rest"))).toEqual(["c-rest"]);
    const rested = await scene.workspaces.park("c-rest", scene.clock.now(), new AbortController().signal);
    expect(rested).toEqual({ kind: "parked" });
    expect((await shell("c-rest", "restricted", "cat shop/a api/b")).text).toBe("a\nb");
    await scene.workspaces.discard("c-rest");
    const left = await readdir(join(scene.data, "threads"));
    expect(left.filter((name) => name.startsWith("c-rest"))).toEqual([]);
  });

  it("are drafted one at a time, in the one that was opened", async () => {
    await open("c-draft");
    const { drafts } = scene.workspaces;
    expect(await drafts.open(workspaceOf("c-draft", 1), signal)).toMatchObject({
      kind: "open",
      again: false,
    });
    expect(await drafts.folder?.("c-draft")).toBe("api");
    const written = await shell(
      "c-draft",
      "draft",
      "echo d > api/d; echo api $?; echo d > shop/d; echo shop $?",
    );
    expect(written.text).toMatch(/api 0\n[^]*shop 1$/);
    expect(await drafts.open("c-draft", signal)).toMatchObject({ kind: "failed" });
    expect((await shell("c-draft", "restricted", "ls api")).text).toBe("AGENTS.md\nsrc");
    const sealed = await drafts.seal("c-draft", { title: "d" }, signal);
    expect(sealed).toMatchObject({ kind: "sealed", result: { files: [{ path: "d" }] } });
    await drafts.discard("c-draft");
    expect(await drafts.open("c-draft", signal)).toMatchObject({ kind: "open", again: false });
  });

  it("are drafted in layers where the tree is large, as in a copy", async () => {
    const workspaces = scene.restart({ draft: { bytes: 2 ** 30, entries: 10_000, layersFrom: 0 } });
    await open("c-layers", both(), workspaces);
    expect(await workspaces.drafts.open(workspaceOf("c-layers", 1), signal)).toMatchObject({ kind: "open" });
    const place = await workspaces.policy("c-layers", "draft");
    const layered = place.kind === "policy" ? place.policy.mounts.filter(({ under }) => under?.[0]) : [];
    expect(layered.map(({ target }) => target)).toEqual(["/repos/api"]);
    const script = "cat api/src/cart.ts; echo d > api/d; echo api $?; echo d > shop/d; echo shop $?";
    expect((await scene.shell("c-layers", "draft", script, workspaces)).text).toMatch(
      /^eins\nzwei\ndrei\napi 0\n[^]*shop 1$/,
    );
    const sealed = await workspaces.drafts.seal("c-layers", { title: "d" }, signal);
    expect(sealed).toMatchObject({ kind: "sealed", result: { files: [{ path: "d" }] } });
  });

  it("one alone is bound, kept and seen as before", async () => {
    const { base } = await open("c-alone", { kind: "path", location: shop });
    expect(Object.keys(base ?? {})).toEqual(["commit", "ref", "cwd"]);
    expect(await readdir(join(scene.data, "threads", "c-alone"))).toEqual(["place.json"]);
    expect((await shell("c-alone", "restricted", "pwd; ls /repos 2>&1 | wc -l")).text).toBe("/work\n1");
  });

  it("a damaged note of what is open gives no rights, and the next opening mends it", async () => {
    const held = await open("c-note");
    await rm(join(scene.data, "threads", "c-note", "folders.json"));
    expect(await scene.workspaces.policy("c-note", "unrestricted", "api")).toMatchObject({ kind: "failed" });
    await open("c-note", both(), scene.workspaces, held.base);
    expect(await scene.workspaces.policy("c-note", "unrestricted", "api")).toMatchObject({ kind: "policy" });
  });
});

const fail = (): never => {
  throw new Error("no base");
};
