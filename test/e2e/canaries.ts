/**
 * One whole host with a credential of every kind, on forges behind a server that sees each credential and quotes it where
 * a test says so. Good repositories are called `shop`; what the name of another one says happens to it (`QUOTES`).
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { everyProcess, filesBelow } from "../everywhere.ts";
import { createFakeForge } from "../fakes/forge/fake.ts";
import { createFakeGitLab } from "../fakes/gitlab/fake.ts";
import { type Answer, createFront, type Knock, packet } from "../fakes/shared/front.ts";
import { startSsh } from "../fakes/ssh/server.ts";
import { scratch } from "../scratch.ts";
import { commit, git } from "../workspace/scene.ts";
import { call, say } from "../fakes/anthropic/turn.ts";
import { createRig, type Rig, type Thread } from "./rig.ts";

export type Kind = "github-app" | "github-token" | "gitlab-token" | "deploy-key";

const OWNERS: Readonly<Record<Kind, string>> = {
  "github-app": "github.com/app-co",
  "github-token": "github.com/token-co",
  "gitlab-token": "gitlab.com/lab-co",
  "deploy-key": "git.example.org/key-co",
};

const TOKENS = {
  github: "ghp_canaryall7Qw2Xk9Lp4Zt",
  gitlab: ["glpat", "canaryall", "83be05d17f"].join("-"),
  beside: "ghp_canarybeside5Kq8Wn3Rs",
};

/** How a forge answers for a repository of that name, quoting the credential. */
const QUOTES: Readonly<Record<string, (knock: Knock, words: string) => Answer>> = {
  "quote-401": (_, words) => quoting(401, words, { "www-authenticate": `Basic realm="${words}"` }),
  "quote-403": (_, words) => quoting(403, words),
  "quote-404": (_, words) => quoting(404, words),
  "quote-502": (_, words) => quoting(502, words),
  "quote-moved": ({ shown, path }) =>
    quoting(301, "", { location: path.replace(/[\w-]+\/quote-moved/, `${shown.at(-1)}/shop`) }),
  "quote-type": (_, words) => ({ ...quoting(200, words), headers: { "content-type": words } }),
  "quote-first-line": (_, words) => ({
    ...quoting(200, packet(`${words}\n`)),
    headers: { "content-type": "application/x-git-upload-pack-advertisement" },
  }),
  "quote-sideband": ({ body }, words) =>
    body.includes("command=fetch")
      ? {
          ...quoting(
            200,
            `${packet("packfile\n")}${packet(`\x02${words}\n`)}${packet(`\x03${words}\n`)}0000`,
          ),
          headers: { "content-type": "application/x-git-upload-pack-result" },
        }
      : { kind: "pass" },
};

const quoting = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  kind: "say",
  status,
  headers: { "content-type": "text/plain", ...headers },
  body,
});

export interface Canaries {
  readonly rig: Rig;
  /** Address of a repository of the credential. */
  at(kind: Kind, name?: string): string;
  /** The same where another thing than the repository is wrong: for a deploy key alone, but `away`. */
  spoiled(kind: Kind, how: "away" | "other-key" | "stranger"): string;
  /** A commit on the default branch of the forge's own repository. */
  push(kind: Kind): Promise<string>;
  /** The next push over https is refused, and the refusal quotes the credential. */
  refusePush(): void;
  /** What of the forge has the branch: null where nothing was pushed. */
  pushed(kind: Kind, branch: string): Promise<string>;
  /** What processes showed while a forge was being answered, by the command. */
  readonly processes: readonly string[];
  /** Throws where anything that the host says, keeps or starts holds a credential. */
  search(threads: readonly Thread[]): Promise<void>;
}

export interface Setting {
  /** Of the server before the forges. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Of the host, beside what the forges take. */
  readonly env?: Readonly<Record<string, string>>;
}

export const createCanaries = async ({ tls, env }: Setting = {}): Promise<Canaries> => {
  const served = scratch("canaries-served");
  const folder = scratch("canaries-forges");
  const [forge, gitlab, ssh] = await Promise.all([createFakeForge(), createFakeGitLab(), startSsh(served)]);
  const source = join(scratch("canaries-source"), "shop");
  mkdirSync(source);
  await git(source, "init", "--quiet", "--initial-branch", "main");
  await commit(source, { "README.md": "a private shop\n" });
  const bareOf = (kind: Kind): string => join(served, OWNERS[kind].replace(/^.*\//, ""), "shop.git");
  for (const kind of KINDS) {
    mkdirSync(join(bareOf(kind), ".."), { recursive: true });
    execFileSync("git", ["clone", "-q", "--bare", source, bareOf(kind)]);
  }
  forge.world.addRepo("app-away/shop", { isPrivate: true });
  const gitOf = (owner: string) => ({ root: served, path: `/${owner}/shop.git` });
  for (const name of ["shop", "quote-api", ...Object.keys(QUOTES)]) {
    for (const owner of ["app-co", "token-co", "key-co"])
      forge.world.addRepo(`${owner}/${name}`, { isPrivate: true }).git = gitOf(owner);
    gitlab.world.addProject(`lab-co/${name}`).git = gitOf("lab-co");
  }
  const permissions = ["metadata", "issues", "contents", "pull_requests"].flatMap((what) => [
    `${what}=read`,
    `${what}=write`,
  ]);
  for (const token of [TOKENS.github, TOKENS.beside])
    forge.world.tokens.set(token, { repos: ["*"], permissions });
  const projects = [...gitlab.world.projects.keys()];
  gitlab.world.tokens.set(TOKENS.gitlab, { projects, scopes: ["api"] });

  const processes: string[] = [];
  let refusesPush = false;
  const front = await createFront((path) => (/\/api\/v4\/|^\/lab-co\//.test(path) ? gitlab.url : forge.url), {
    ...(tls === undefined ? {} : { tls }),
    answer: (knock) => {
      const words = `you sent ${knock.shown.join(" and ")}`;
      const [, name = ""] = /\/([\w-]+)\.git\//.exec(knock.path) ?? [];
      if (name !== "") processes.push(everyProcess());
      const quote = QUOTES[name];
      if (quote !== undefined) return quote(knock, words);
      if (/quote-api\/installation/.test(knock.path)) return quoting(401, JSON.stringify({ message: words }));
      if (knock.method === "POST" && knock.path.endsWith("/git-receive-pack") && refusesPush) {
        refusesPush = false;
        const [, ref = ""] = /(refs\/heads\/[\w/-]+)/.exec(knock.body) ?? [];
        return quoting(200, `${packet("unpack ok\n")}${packet(`ng ${ref} ${words}\n`)}0000`);
      }
      return { kind: "pass", change: (body) => withRemark(body, words) };
    },
  });
  const keys = deployKeys(folder, ssh.knownHost);
  ssh.keys.set(keys.shown, { repos: ["key-co/shop.git"], write: true });
  ssh.onCommand = () => void processes.push(everyProcess());

  const places = { api: front.url, git: front.url };
  // Writes to one API keep seconds between each other.
  const elsewhere = { api: front.url.replace("127.0.0.1", "localhost"), git: front.url };
  const away = { ...places, git: "http://127.0.0.1:9" };
  writeFileSync(join(folder, "app.pem"), forge.app.privateKey, { mode: 0o600 });
  const app = { kind: "github-app", appId: forge.app.id, privateKeyFile: "app.pem" };
  const token = { kind: "github-token", token: TOKENS.github };
  const lab = { kind: "gitlab-token", token: TOKENS.gitlab };
  const key = { kind: "deploy-key", host: "127.0.0.1", port: ssh.port };
  const good = { ...key, keyFile: "shop_key", knownHostsFile: "known_hosts" };
  const forges = [
    { ...app, ...places, repos: ["app-co/*"] },
    { ...app, ...away, repos: ["app-away/*"] },
    { ...token, ...elsewhere, repos: ["token-co/*"] },
    { ...token, ...away, repos: ["token-away/*"] },
    { ...lab, ...places, api: `${front.url}/api/v4`, repos: ["gitlab.com/lab-co/*"] },
    { ...lab, ...away, api: `${front.url}/api/v4`, repos: ["gitlab.com/lab-away/*"] },
    { ...good, repos: ["git.example.org/key-co/*"] },
    { ...good, port: 9, repos: ["git.example.org/key-away/*"] },
    { ...good, keyFile: "other_key", repos: ["git.example.org/key-other-key/*"] },
    { ...good, knownHostsFile: "strangers", repos: ["git.example.org/key-stranger/*"] },
    { kind: "github-token", token: TOKENS.beside, ...places, repos: ["git.example.org/key-co/*"] },
  ];
  const file = join(folder, "forges.json");
  writeFileSync(file, JSON.stringify({ forges }), { mode: 0o600 });
  const rig = await createRig({
    PARLEY_FORGES: file,
    PARLEY_LOG_LEVEL: "debug",
    PARLEY_SAFE_MODE: "off",
    ...env,
  });
  onTestFinished(async () => {
    await Promise.all([front.close(), forge.close(), gitlab.close(), ssh.close()]);
    expect([...forge.violations, ...gitlab.violations]).toEqual([]);
  });

  const secrets = (): readonly string[] =>
    [...front.shown, ...Object.values(TOKENS), ...linesOf(forge.app.privateKey), ...keys.lines].filter(
      (secret) => secret.length >= 8,
    );

  return {
    rig,
    at: (kind, name = "shop") => `https://${OWNERS[kind]}/${name}.git`,
    spoiled: (kind, how) => `https://${OWNERS[kind].replace("-co", `-${how}`)}/shop.git`,
    push: async (kind) => {
      const next = await commit(source, { [`${kind}.txt`]: "more\n" });
      await git(source, "push", "--quiet", bareOf(kind), "main");
      return next;
    },
    refusePush: () => {
      refusesPush = true;
    },
    pushed: (kind, branch) => git(bareOf(kind), "log", "-1", "--format=%s", branch),
    processes,
    search: async (threads) => {
      const { lines, errors, origin, token: word } = rig.host();
      const headers = { authorization: `Bearer ${word}` };
      const said = threads.map(async ({ id, read }) => {
        const trace = await fetch(`${origin}/api/conversations/${id}/trace`, { headers });
        return `${JSON.stringify(await read())}\n${await trace.text()}`;
      });
      const places: Readonly<Record<string, string>> = {
        "posts and traces": (await Promise.all(said)).join("\n"),
        "requests to the model": JSON.stringify(rig.fake.requests.map(({ body }) => body)),
        log: errors.join("\n"),
        "lines of the start": lines.join("\n"),
        "the data directory": filesBelow(rig.data),
      };
      for (const [name, place] of Object.entries(places)) {
        expect(place, name).not.toBe("");
        for (const secret of [...secrets(), folder]) {
          expect(place.includes(secret), `${secret} in ${name}`).toBe(false);
        }
      }
      const running = processes.join("\n");
      for (const secret of secrets()) expect(running.includes(secret), `${secret} in a process`).toBe(false);
      // Where a deploy key lies is told to ssh alone, and where the file of credentials lies to the host alone.
      const told = running.split("\n").filter((line) => line.includes(join(folder, "shop_key")));
      for (const line of told) expect(line).toMatch(/^ssh /);
    },
  };
};

const LOOK =
  "(env; cat .git/config; git config --list; cat .git/logs/HEAD .git/packed-refs; cat /proc/*/environ /proc/*/cmdline) 2>/dev/null | tr '\\0' '\\n'";
const PULL = { title: "More of the shop", body: "So that there is more." };

/** Clones, looks around in both permissions, pushes and opens a pull request; over https a refused push comes first. */
export const good = async (made: Canaries, kind: Kind): Promise<Thread> => {
  const { rig } = made;
  const thread = await rig.begin(made.at(kind));
  rig.fake.script(
    call("bash", { command: `cat README.md; ${LOOK}` }),
    call("request_mode_upgrade", { reason: "to add a file" }),
  );
  const asked = await thread.turn("what is here?");
  expect(asked.phase).toBe("awaitingApproval");
  const approve = async (of: typeof asked) => {
    await thread.act({ action: "decide", question: of.question?.id, choice: "approve" });
    return thread.until("idle", "failed", "awaitingApproval");
  };
  if (kind !== "deploy-key") made.refusePush();
  rig.fake.script(
    call("bash", { command: `echo more > more.txt; ${LOOK}` }),
    call("open_pull_request", PULL),
    ...(kind === "deploy-key" ? [] : [call("open_pull_request", PULL)]),
    say("Proposed."),
  );
  let at = await approve(asked);
  if (kind !== "deploy-key") {
    at = await approve(at);
    expect(JSON.stringify(at.posts.slice(-3))).toMatch(/did not take the branch [^:]*: you sent x{8}/);
  }
  const done = await approve(at);
  expect(done.phase).toBe("idle");
  expect(JSON.stringify(rig.fake.requests.at(-1)?.body)).toContain("remote.origin.url=");
  expect(await made.pushed(kind, `parley/${thread.id}`)).toBe(PULL.title);
  return thread;
};

export const KINDS: readonly Kind[] = ["github-app", "gitlab-token", "github-token", "deploy-key"];

/** A message beside the pack, as forges send them, that quotes the credential. */
const withRemark = (body: string, words: string): string =>
  body.replace("000dpackfile\n", (line) => `${line}${packet(`\x02${words}\n`)}`);

const deployKeys = (folder: string, knownHost: string) => {
  for (const name of ["shop_key", "other_key"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", join(folder, name)]);
  writeFileSync(join(folder, "known_hosts"), `${knownHost}\n`, { mode: 0o600 });
  writeFileSync(join(folder, "strangers"), `${knownHost.replace(/^\S+/, "other.example")}\n`, {
    mode: 0o600,
  });
  const shown = readFileSync(join(folder, "shop_key.pub"), "utf8").split(" ").slice(0, 2).join(" ");
  return { shown, lines: linesOf(readFileSync(join(folder, "shop_key"), "utf8")) };
};

/** Lines of a private key that no other key has. */
const linesOf = (key: string): readonly string[] =>
  key.split("\n").filter((line, index) => index > 1 && line.length > 20 && !line.includes("-----"));
