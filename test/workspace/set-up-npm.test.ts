/** 9, item 5, with the real npm: one conversation's set-up installs by a lock file with hashes; later ones run tests without a network. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { Setup } from "../../src/machine/vocabulary.ts";
import { scratch } from "../scratch.ts";
import { commit, conversation, createScene, type Scene, startSandbox } from "./scene.ts";

const missing = ["npm", "node"].filter((program) => !existsSync(`/usr/bin/${program}`));
if (missing.length > 0) console.log(`skipped: npm ci in a set-up: no ${missing.join(", ")} below /usr/bin`);

let sandbox: Sandbox;
let scene: Scene;
let registry: Server;
let tarball: Buffer = Buffer.alloc(0);
const served: string[] = [];
/** An address of this machine to which clients take the proxy. */
const REGISTRY = "127.0.0.2";
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox);
  tarball = pack({
    "package.json": JSON.stringify({ name: "tiny", version: "1.2.3", main: "m.js" }),
    "m.js": "module.exports = 42;\n",
  });
  registry = createServer((request, response) => {
    served.push(request.url ?? "");
    response.end(tarball);
  }).listen(0, REGISTRY);
  await once(registry, "listening");
});
afterAll(async () => {
  await sandbox.close();
  registry.close();
  await scene[Symbol.asyncDispose]();
});

const pack = (files: Readonly<Record<string, string>>): Buffer => {
  const folder = scratch("npm-package");
  mkdirSync(join(folder, "package"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "package", name), text);
  execFileSync("tar", ["czf", "tiny.tgz", "package"], { cwd: folder });
  return readFileSync(join(folder, "tiny.tgz"));
};

const integrityOf = (bytes: Buffer): string =>
  `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

/** A project whose test needs a package of the registry; `integrity`: what its lock file says of that. */
const project = async (name: string, integrity: string): Promise<string> => {
  const address = registry.address();
  const root = `http://${REGISTRY}:${typeof address === "object" && address !== null ? address.port : 0}`;
  const dependencies = { tiny: "1.2.3" };
  const resolved = `${root}/tiny/-/tiny-1.2.3.tgz`;
  const repo = await scene.repository(name);
  await commit(repo, {
    ".gitignore": "node_modules/\n",
    "package.json": JSON.stringify({ name, version: "1.0.0", dependencies }),
    "package-lock.json": JSON.stringify({
      name,
      version: "1.0.0",
      lockfileVersion: 3,
      packages: {
        "": { name, version: "1.0.0", dependencies },
        "node_modules/tiny": { version: "1.2.3", resolved, integrity },
      },
    }),
    "tiny.test.js": `require("node:test")("tiny", () => require("node:assert").equal(require("tiny"), 42));\n`,
    ".parley/setup.sh": `npm ci --registry ${root}/ --fetch-retries 0 --no-audit --no-fund --no-update-notifier\n`,
  });
  return repo;
};

const attend = async (id: `c-${string}`, location: string): Promise<readonly Setup[]> => {
  const told: Setup[] = [];
  const over = Promise.withResolvers<void>();
  await scene.workspaces.open(conversation(id, { kind: "path", location }, null), {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onSetUp: (setUp) => {
      told.push(setUp);
      if (setUp.kind !== "began") over.resolve();
    },
  });
  if (told.length > 0) await over.promise;
  return told;
};

const TEST = "node --test 2>&1 | grep -E '^(# |ℹ )(pass|fail)'; git status --short";
const PASSED = /^\S+ pass 1\n\S+ fail 0$/;

it.skipIf(missing.length > 0)(
  "npm ci installs by its lock file, and later conversations run the tests without a network",
  async () => {
    const repo = await project("app", integrityOf(tarball));
    const first = await attend("c-npm1", repo);
    expect(first).toMatchObject([{ kind: "began" }, { kind: "ready" }]);
    expect(served).toEqual(["/tiny/-/tiny-1.2.3.tgz"]);
    expect(await attend("c-npm2", repo)).toEqual([]);
    expect((await scene.shell("c-npm2", "restricted", TEST)).text).toMatch(PASSED);
    // The network of Unrestricted is not needed either.
    const { sandbox: held } = scene;
    const place = await scene.workspaces.policy("c-npm2", "unrestricted");
    if (place.kind === "failed") throw new Error(place.message);
    const ran = await held.run({
      policy: { ...place.policy, network: "none" },
      argv: ["/bin/bash", "--noprofile", "--norc", "-c", TEST],
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: place.home, ...place.extraEnv },
      timeoutMs: 60_000,
      keep: { head: 10_000, tail: 10_000 },
    });
    if (ran.kind !== "exited") throw new Error(ran.kind);
    expect(Buffer.concat([ran.head, ran.tail]).toString("utf8").trim()).toMatch(PASSED);
    expect(served).toHaveLength(1);
  },
);

it.skipIf(missing.length > 0)(
  "a package that is not what the lock file says is not installed, and the thread is told npm's words",
  async () => {
    const repo = await project("forged", integrityOf(Buffer.from("another package")));
    const [began, failed] = await attend("c-forged", repo);
    expect(began).toEqual({ kind: "began" });
    if (failed?.kind !== "failed") throw new Error(JSON.stringify(failed));
    expect(failed.output?.join("\n")).toMatch(/EINTEGRITY/);
    expect((await scene.shell("c-forged", "restricted", "ls")).text).not.toContain("node_modules");
  },
);
