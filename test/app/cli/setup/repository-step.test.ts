/** Repositories by folder, by name and by what a GitHub token can read. */

import { createServer } from "node:http";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { repositoryStep } from "../../../../src/app/cli/setup/repository-step.ts";
import { withForgeToken } from "../../../../src/app/cli/setup/forge-file.ts";
import { sampleRepo } from "../../../sample-repo.ts";
import { scratch } from "../../../scratch.ts";
import { stepDeps } from "./steps.ts";

const step = (answer: string | null, startedIn: string, api = "http://127.0.0.1:9") => {
  const deps = stepDeps(answer === null ? {} : { PARLEY_REPOS: answer });
  return repositoryStep({ ...deps, inForce: deps.planned.inForce, startedIn, api, limit: 5_000 });
};

const TOKEN = `ghp_${"t0ken".repeat(7)}`;

/** GitHub's list of repositories for one valid token. */
const gitHub = async (names: readonly string[]): Promise<string> => {
  const server = createServer((request, response) => {
    response.statusCode = request.headers.authorization === `Bearer ${TOKEN}` ? 200 : 401;
    response.end(JSON.stringify(names.map((name) => ({ id: 1, full_name: name }))));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
};

describe("the repositories of setup", () => {
  it("are the work tree in which the command started, or a folder below or beside it", async () => {
    const repo = await sampleRepo("# Sample\n");
    const other = await sampleRepo("# Other\n");
    const folder = { kind: "path", location: repo };
    expect(await step(null, join(repo, "src"))).toEqual({
      settings: { PARLEY_REPOS: repo, PARLEY_REPO: repo },
      first: { kind: "repo", name: repo, repo: folder },
      token: null,
    });
    expect((await step("./src", repo)).settings["PARLEY_REPOS"]).toBe(repo);
    expect((await step(relative(repo, other), repo)).settings["PARLEY_REPOS"]).toBe(other);
    expect((await step(`${repo}, ${other}`, repo)).settings["PARLEY_REPOS"]).toBe(`${repo},${other}`);
  });

  it("can be none, or every repository of an owner", async () => {
    const empty = scratch("empty");
    expect((await step("none", empty)).settings).toEqual({});
    expect((await step("acme/*", empty)).settings).toEqual({ PARLEY_REPOS: "acme/*" });
  });

  it("are listed for a token, the newest first, and by a part of the name", async () => {
    const names = Array.from({ length: 25 }, (_, index) => `acme/r${index + 1}`);
    const api = await gitHub(names);
    const empty = scratch("empty");
    await expect(step(TOKEN, empty, api)).rejects.toThrow(
      /^ {2}1\) acme\/r1\n[^]* {2}20\) acme\/r20\n5 more fit; enter a part of the name to search\. Enter numbers or names\.$/,
    );
    await expect(step(`${TOKEN} r25`, empty, api)).rejects.toThrow(/^ {2}25\) acme\/r25\nEnter numbers/);
    const { settings, token } = await step(`${TOKEN} acme/*`, empty, api);
    expect(settings).toEqual({ PARLEY_REPOS: "acme/*" });
    expect(token).toEqual({ token: TOKEN, entries: ["acme/*"] });
    await expect(step(`${TOKEN}x`, empty, api)).rejects.toThrow(
      /GitHub refuses this token: .* Create another one/,
    );
    await expect(step(TOKEN, empty)).rejects.toThrow(
      /GitHub cannot be reached .* Check this machine's network/,
    );
  });

  it("are refused with what to do", async () => {
    const empty = scratch("empty");
    mkdirSync(join(empty, "plain"));
    await expect(step("./absent", empty)).rejects.toThrow(/absent does not exist\. Correct the path/);
    await expect(step("./plain", empty)).rejects.toThrow(/is no git work tree\. Run git init there/);
    await expect(step("no repository", empty)).rejects.toThrow(/no is no repository\. Enter a folder/);
    await expect(step("https://127.0.0.1:9/acme/api", empty)).rejects.toThrow(
      /127\.0\.0\.1:9 cannot be reached\. Check this machine's network/,
    );
    await expect(step(null, empty)).rejects.toThrow(/pass --repos \(PARLEY_REPOS\)/);
  });

  it("put a token before the entries of an existing file, and replace their own", () => {
    const first = withForgeToken(null, "ghp_1", ["acme/*"]);
    const before = JSON.stringify({
      forges: [{ kind: "gitlab-token", repos: ["gitlab.com/a/*"], token: "g" }],
    });
    const second = withForgeToken(withForgeToken(before, "ghp_1", ["acme/*"]), "ghp_2", ["acme/*"]);
    const entry = { kind: "github-token", repos: ["acme/*"], token: "ghp_1" };
    expect(JSON.parse(first ?? "")).toEqual({ forges: [entry] });
    expect(JSON.parse(second ?? "")).toMatchObject({
      forges: [{ token: "ghp_2" }, { kind: "gitlab-token" }],
    });
    expect(withForgeToken("{", "ghp_1", [])).toBeNull();
  });
});
