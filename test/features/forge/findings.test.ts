/** What doctor says of credentials and of the repositories that they open: tried against forges at the wire, in the real sandbox. */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { forgeFindings } from "../../../src/features/forge/findings.ts";
import { namedRepositories, repositoryFindings } from "../../../src/app/cli/doctor/repository-findings.ts";
import { openForges } from "../../../src/features/forge/open.ts";
import { readingWith } from "../../../src/app/outward.ts";
import { createLog } from "../../../src/app/log.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { reachRepository } from "../../../src/app/cli/doctor/reachability.ts";
import { createFakeForge, type FakeForge } from "../../fakes/forge/fake.ts";
import { createFakeGitLab, type FakeGitLab } from "../../fakes/gitlab/fake.ts";
import { hasSsh } from "../../fakes/ssh/has-ssh.ts";
import { startSsh } from "../../fakes/ssh/server.ts";
import { sampleRepo } from "../../sample-repo.ts";
import { scratch } from "../../scratch.ts";
import { startSandbox } from "../../workspace/scene.ts";
import { configOf, linesOf } from "../../app/cli/doctor/findings.ts";

const TOKEN = "github_pat_0123456789";
const NOON = Date.UTC(2026, 10, 2, 12);
const DAY = 24 * 3_600_000;
const READS = ["metadata", "contents", "issues", "pull_requests", "checks", "statuses", "actions"].map(
  (one) => `${one}=read`,
);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** A bare repository below the root, as a forge serves it. */
const served = async (path: string): Promise<string> => {
  const root = scratch("doctor-served");
  mkdirSync(join(root, path, ".."), { recursive: true });
  execFileSync("git", ["clone", "-q", "--bare", await sampleRepo("# sample\n"), join(root, `${path}.git`)]);
  return root;
};

/** The operator's file, with entries as they are written there. */
const fileOf = (...forges: readonly object[]): string => {
  const path = join(scratch("doctor-forges"), "forges.json");
  writeFileSync(path, JSON.stringify({ forges }), { mode: 0o600 });
  return path;
};

/** What doctor says of the entries, and of the repositories that PARLEY_REPOS names. */
const found = async (path: string, repos: string): Promise<readonly string[]> => {
  const opened = openForges(path, readingWith({ otherKeys: {} }));
  if (opened.kind === "invalid") return opened.problems;
  const config = configOf({ PARLEY_REPOS: repos });
  const { access: forge } = opened;
  const { doors } = forge;
  const deps = { sandbox, doors, clock: systemClock, log: createLog("silent", []), slot: 0 };
  const known = [...namedRepositories(config, "/").values()];
  const lines = [
    ...(await linesOf(forgeFindings(opened, known, () => NOON))),
    ...(await linesOf(
      repositoryFindings(config, "/", {
        look: (repo, signal) => reachRepository(deps, repo, signal),
        forge,
      }),
    )),
  ].filter((line) => !line.includes("the console has no default repository"));
  expect(lines.join()).not.toContain(TOKEN);
  return lines;
};

const github = async (): Promise<FakeForge> => {
  const fake = await createFakeForge(() => NOON);
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  fake.world.addRepo("acme/shop", { isPrivate: true }).git = {
    root: await served("acme/shop"),
    path: "/acme/shop.git",
  };
  return fake;
};

const tokenAt = ({ url }: FakeForge, repos: readonly string[] = ["acme/*"]): string =>
  fileOf({ kind: "github-token", repos, token: TOKEN, api: url, git: url });

describe("a token of GitHub", () => {
  it("works, until a day, and its repository can be read and pushed to", async () => {
    const fake = await github();
    fake.world.tokens.set(TOKEN, {
      repos: ["acme/shop"],
      permissions: [...READS, "contents=write"],
      expires: NOON + 90 * DAY,
    });
    expect(await found(tokenAt(fake), "acme/shop")).toEqual([
      expect.stringMatching(
        /^ok forges: github-token for acme\/\*: works, tried on acme\/shop, until 2027-01-31; issues=write and pull_requests=write cannot be tried without writing/,
      ),
      "ok repository: acme/shop can be read (1 branch) and pushed to",
    ]);
  });

  it("is named with each right that it lacks, and before it ends", async () => {
    const fake = await github();
    const permissions = READS.filter((one) => !/^(checks|actions)/.test(one));
    fake.world.tokens.set(TOKEN, { repos: ["acme/shop"], permissions, expires: NOON + 3 * DAY });
    expect(await found(tokenAt(fake), "acme/shop")).toEqual([
      expect.stringMatching(
        /, and lacks checks=read \(the results of checks in read_checks\), actions=read \(the logs of failed jobs in read_checks\); .* -> Grant these rights/,
      ),
      expect.stringMatching(
        /^warning forges: github-token for acme\/\*: expires in 3 days -> Renew the credential/,
      ),
      expect.stringMatching(
        /^warning repository: acme\/shop can be read \(1 branch\) but not pushed to -> .*contents=write/,
      ),
    ]);
  });

  it("is refused, opens nothing, or cannot be tried where no repository is named", async () => {
    const fake = await github();
    expect(await found(tokenAt(fake), "acme/shop")).toEqual([
      expect.stringMatching(
        /^error forges: .*127\.0\.0\.1:\d+ refuses the token: it has expired or was revoked -> Create a new token/,
      ),
      expect.stringMatching(/^error repository: Parley's credential for github\.com\/acme\/shop was refused/),
    ]);
    fake.world.tokens.set(TOKEN, { repos: [], permissions: READS });
    expect((await found(tokenAt(fake), "acme/shop"))[0]).toMatch(
      /^error forges: .*the token does not open acme\/shop, or the repository does not exist -> Give the token access/,
    );
    expect((await found(tokenAt(fake), "acme/*"))[0]).toMatch(
      /^ok forges: github-token for acme\/\*: works; the rights were not tried, because neither the entry nor PARLEY_REPOS names/,
    );
    const [dead = ""] = await found(
      fileOf({
        kind: "github-token",
        repos: ["acme/*"],
        token: TOKEN,
        api: "http://127.0.0.1:9",
        git: "http://127.0.0.1:9",
      }),
      "acme/*",
    );
    expect(dead).toMatch(/^error forges: .*127\.0\.0\.1:9 cannot be reached -> Try again/);
  });

  it("has classic scopes, which are read", async () => {
    const fake = await github();
    const grant = { repos: ["acme/shop"], permissions: [...READS, "contents=write"] };
    fake.world.tokens.set(TOKEN, { ...grant, scopes: ["repo", "read:org"] });
    expect((await found(tokenAt(fake), "acme/shop"))[0]).toBe(
      "ok forges: github-token for acme/*: works, tried on acme/shop",
    );
    fake.world.tokens.set(TOKEN, { ...grant, scopes: ["gist"] });
    expect((await found(tokenAt(fake), "acme/shop"))[0]).toMatch(
      /^warning forges: .* lacks repo \(private repositories: /,
    );
  });
});

const appAt = ({ url, app }: FakeForge, appId = app.id): string => {
  const key = join(scratch("doctor-app"), "app.pem");
  writeFileSync(key, app.privateKey, { mode: 0o600 });
  return fileOf({ kind: "github-app", repos: ["acme/*"], appId, privateKeyFile: key, api: url, git: url });
};

describe("an app of GitHub", () => {
  it("is installed with the rights it needs, lacks some, is suspended, or is not there", async () => {
    const fake = await github();
    const { world } = fake;
    const all = {
      metadata: "read",
      contents: "write",
      issues: "write",
      pull_requests: "write",
      checks: "read",
      statuses: "read",
      actions: "read",
    };
    world.app = { permissions: all, isSuspended: false };
    const path = appAt(fake);
    expect((await found(path, "acme/shop"))[0]).toBe(
      "ok forges: github-app for acme/*: works, tried on acme/shop",
    );
    expect((await found(path, "acme/*"))[0]).toMatch(/^ok forges: .*works; the installation was not tried/);
    const { checks: _, ...without } = { ...all, issues: "read" };
    world.app = { permissions: without, isSuspended: false };
    expect((await found(path, "acme/shop"))[0]).toMatch(
      /^warning forges: .* lacks checks=read \(.+\), issues=write \(file_issue, comment_on_issue and label_issue\) -> Grant/,
    );
    world.app = { permissions: all, isSuspended: true };
    expect((await found(path, "acme/shop"))[0]).toMatch(
      /^error forges: .*the installation at acme is suspended -> /,
    );
    expect((await found(path, "acme/other"))[0]).toMatch(
      /^error forges: .*not installed at acme\/other -> Install the app there/,
    );
  });
});

const gitlab = async (): Promise<FakeGitLab> => {
  const fake = await createFakeGitLab(() => NOON);
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  fake.world.addProject("team/shop").git = { root: await served("team/shop"), path: "/team/shop.git" };
  return fake;
};
const gitlabAt = ({ api, url }: FakeGitLab): string =>
  fileOf({ kind: "gitlab-token", repos: ["gitlab.com/team/*"], token: TOKEN, api, git: url });

describe("a token of GitLab", () => {
  it("is judged by its scopes and its end", async () => {
    const fake = await gitlab();
    const projects = ["team/shop"];
    fake.world.tokens.set(TOKEN, { projects, scopes: ["api", "write_repository"], expires: "2026-12-31" });
    expect(await found(gitlabAt(fake), "gitlab.com/team/shop")).toEqual([
      "ok forges: gitlab-token for gitlab.com/team/*: works, tried on gitlab.com/team/shop, until 2026-12-31",
      "ok repository: gitlab.com/team/shop can be read (1 branch) and pushed to",
    ]);
    fake.world.tokens.set(TOKEN, {
      projects,
      scopes: ["read_api", "read_repository"],
      expires: "2026-11-05",
    });
    expect(await found(gitlabAt(fake), "gitlab.com/team/shop")).toEqual([
      expect.stringMatching(
        /^warning forges: .* lacks api \(proposing: .*\), write_repository \(the branch of a merge request\) -> /,
      ),
      expect.stringMatching(/^warning forges: .*: expires in 2 days -> Renew the credential/),
      expect.stringMatching(
        /^warning repository: gitlab\.com\/team\/shop can be read \(1 branch\) but not pushed to -> /,
      ),
    ]);
    fake.world.tokens.delete(TOKEN);
    expect((await found(gitlabAt(fake), "gitlab.com/team/shop"))[0]).toMatch(
      /^error forges: .* refuses the token: it has expired or was revoked -> Create a new token/,
    );
  });
});

if (!hasSsh) console.log("skipped: deploy keys: there is no ssh on this machine");

describe.skipIf(!hasSsh)("a deploy key", () => {
  it("is readable by its owner alone, and opens its repository to read, or to push as well", async () => {
    const root = await served("acme/shop");
    const ssh = await startSsh(root);
    onTestFinished(() => ssh.close());
    const folder = scratch("doctor-key");
    const keyFile = join(folder, "key");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", keyFile]);
    const shown = execFileSync("ssh-keygen", ["-y", "-f", keyFile], { encoding: "utf8" })
      .split(" ")
      .slice(0, 2)
      .join(" ")
      .trim();
    const knownHostsFile = join(folder, "known_hosts");
    writeFileSync(knownHostsFile, `${ssh.knownHost}\n`, { mode: 0o600 });
    const path = fileOf({
      kind: "deploy-key",
      repos: ["acme/shop"],
      keyFile,
      knownHostsFile,
      host: "127.0.0.1",
      port: ssh.port,
    });
    ssh.keys.set(shown, { repos: ["acme/shop.git"], write: true });
    expect(await found(path, "acme/shop")).toEqual([
      "ok forges: deploy-key for acme/shop: works, tried on acme/shop",
      "ok repository: acme/shop can be read (1 branch) and pushed to",
    ]);
    ssh.keys.set(shown, { repos: ["acme/shop.git"], write: false });
    expect((await found(path, "acme/shop"))[1]).toMatch(
      /^warning repository: .* not pushed to -> .*write access/,
    );
    chmodSync(keyFile, 0o644);
    expect(await found(path, "acme/shop")).toEqual([
      expect.stringContaining(`can be read by others: chmod 600 ${keyFile}`),
    ]);
  });
});

it("without entries, says that what is public can be read", async () => {
  expect(await found(fileOf(), "acme/*")).toEqual([
    "ok forges: no credentials (PARLEY_FORGES); only public repositories can be read",
    "ok repository: any of acme/*; each is tried when it is chosen for a channel",
  ]);
});
