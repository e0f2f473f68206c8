/** Issue 9, part 1: the whole host clones a private repository, or fails to, and its credential is in nothing that it says or keeps. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { startHost } from "../cli/host.ts";
import { createFakeForge } from "../fakes/forge/fake.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";

const CANARY = "ghp_canaryhost7Qw2Xk9Lp4";
const TRACES = [CANARY, Buffer.from(`x-access-token:${CANARY}`).toString("base64")];

test.each([
  ["is cloned", true, /hello private/],
  ["cannot be cloned", false, /was refused: it has expired/],
])(
  "a private repository %s, and the credential is nowhere",
  { timeout: 90_000 },
  async (_, isGood, wanted) => {
    const root = scratch("private-git");
    mkdirSync(join(root, "acme"));
    const repo = await sampleRepo("hello private\n");
    execFileSync("git", ["clone", "-q", "--bare", repo, join(root, "acme/shop.git")]);
    const forge = await createFakeForge();
    forge.world.addRepo("acme/shop", { isPrivate: true }).git = { root, path: "/acme/shop.git" };
    if (isGood) forge.world.tokens.set(CANARY, { repos: ["acme/shop"], permissions: [] });
    const file = join(scratch("private-forges"), "forges.json");
    const entry = { kind: "github-token", repos: ["acme/*"], api: forge.url, git: forge.url, token: CANARY };
    writeFileSync(file, JSON.stringify({ forges: [entry] }), { mode: 0o600 });
    const data = scratch("private-data");
    const host = await startHost(data, {
      PARLEY_REPO: "https://github.com/acme/shop.git",
      PARLEY_FORGES: file,
      PARLEY_LOG_LEVEL: "debug",
    });
    onTestFinished(async () => {
      await host.stop("SIGKILL");
      await forge.close();
    });
    const made = await host.call("POST", "/api/conversations", {});
    const { id } = z.object({ id: z.string() }).parse(made.body);
    await host.call("POST", `/api/conversations/${id}/messages`, { text: "what is in README.md?" });
    const posts = await vi.waitFor(
      async () => {
        const said = JSON.stringify((await host.call("GET", `/api/conversations/${id}`)).body);
        if (!wanted.test(said)) throw new Error(said);
        return said;
      },
      { timeout: 60_000, interval: 100 },
    );
    const headers = { authorization: `Bearer ${host.token}` };
    const trace = await (await fetch(`${host.origin}/api/conversations/${id}/trace`, { headers })).text();
    expect(trace).toContain(`"kind":"said"`);
    const kept = filesBelow(data);
    expect(kept).toContain("what is in README.md?");
    for (const place of [posts, trace, kept, host.errors.join("\n"), host.lines.join("\n")])
      for (const secret of TRACES) expect(place).not.toContain(secret);
  },
);

const filesBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
