/** The honest twins of the attacks: what developers use works through the proxy without being told. */

import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { locateLauncher } from "../../../sandbox/locate.ts";
import { createSandbox } from "../../../sandbox/server.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import { startForge } from "../../workspace/forge.ts";
import { listen, OPEN, openEgress } from "./client.ts";
import { textOf } from "../tiers.ts";
import { ENV } from "../world.ts";

const run = promisify(execFile);
const missing = ["curl", "git", "npm", "python3", "ssh", "openssl"].filter(
  (program) => !existsSync(`/usr/bin/${program}`),
);
if (missing.length > 0) console.log(`skipped: twins with ${missing.join(", ")}: not installed here`);
const needs = (...programs: readonly string[]) =>
  it.skipIf(programs.some((program) => missing.includes(program)));

let folder = "";
let sandbox: Sandbox | null = null;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-tools-"));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "work"));
  const located = await locateLauncher(join(folder, "bin"));
  if (located.kind === "failed") throw new Error(located.reason);
  const egress = await openEgress({ unsafeOpen: ["127.0.0.0/8"] });
  sandbox = await createSandbox({ launcher: located.path, egress });
});
afterAll(async () => {
  await sandbox?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Nobody gave this one a way out. */
it("a sandbox that was given no proxy refuses every destination", async ({ skip }) => {
  const located = await locateLauncher(join(folder, "bin"));
  if (located.kind === "failed") throw new Error(located.reason);
  const closed = await createSandbox({ launcher: located.path });
  if (closed.probe.egress !== "proxy") skip("egress shares the host's network here");
  const result = await closed.run({
    policy: { profile: "unrestricted", network: "egress", mounts: [], cwd: "/tmp", identity: 3 },
    argv: ["/bin/bash", "-c", "curl -s http://example.org/"],
    env: ENV,
    timeoutMs: 120_000,
    keep: { head: 1000, tail: 0 },
  });
  await closed.close();
  expect(textOf(result)).toMatch(/^Parley does not let commands reach example\.org:80: the operator's list/);
});

const shell = async (script: string): Promise<string> => {
  if (sandbox === null) throw new Error("no sandbox");
  if (sandbox.probe.egress === "shared")
    console.log("this host has no network namespaces: the network is shared");
  const node = dirname(process.execPath);
  const result = await sandbox.run({
    policy: {
      profile: "unrestricted",
      network: "egress",
      mounts: [
        { source: join(folder, "work"), target: "/work", write: true },
        { source: node, target: "/opt/node", write: false },
      ],
      cwd: sandbox.probe.mounts ? "/work" : join(folder, "work"),
      identity: 3,
    },
    argv: ["/bin/bash", "-c", script],
    env: { ...ENV, HOME: sandbox.probe.mounts ? "/work" : join(folder, "work") },
    timeoutMs: 50_000,
    keep: { head: 10_000, tail: 10_000 },
  });
  return textOf(result);
};

describe("through the proxy", () => {
  beforeEach(({ skip }) => {
    if (sandbox?.probe.egress !== "proxy")
      skip("this host has no network namespaces: egress shares its network");
  });

  needs(
    "git",
    "openssl",
    "curl",
  )("git clones and curl reads over https, end to end with the server's own certificate", async () => {
    await run("git", ["init", "-q", "-b", "main", join(folder, "source")]);
    const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    await run("git", [
      "-C",
      join(folder, "source"),
      ...author,
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "first",
    ]);
    await run("git", ["clone", "-q", "--bare", join(folder, "source"), join(folder, "project.git")]);
    await using forge = await startForge(folder);
    writeFileSync(join(folder, "work", "ca.pem"), readFileSync(forge.certificates));
    const url = `https://127.0.0.1:${forge.port}/project.git`;
    const text = await shell(
      `export no_proxy= NO_PROXY=; git -c http.sslCAInfo=ca.pem clone -q ${url} clone && git -C clone log --format=%s
       curl -s --cacert ca.pem ${url}/HEAD; curl -s ${url}/HEAD || echo distrusted`,
    );
    expect(text).toMatch(/^first\nref: refs\/heads\/main\ndistrusted\n$/);
  });

  needs("npm")("npm looks a package up and installs it from a registry", async () => {
    const tarball = join(folder, "tiny.tgz");
    mkdirSync(join(folder, "package"));
    writeFileSync(join(folder, "package", "package.json"), '{"name":"tiny","version":"1.2.3","main":"m.js"}');
    writeFileSync(join(folder, "package", "m.js"), "module.exports = 42;\n");
    await run("tar", ["czf", tarball, "-C", folder, "package"]);
    const bytes = readFileSync(tarball);
    await using registry = await listen(
      createHttpServer((request, response) => {
        if (request.url?.endsWith(".tgz") === true) return void response.end(bytes);
        const dist = {
          tarball: `http://${request.headers.host}/tiny/-/tiny-1.2.3.tgz`,
          integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
        };
        const versions = { "1.2.3": { name: "tiny", version: "1.2.3", main: "m.js", dist } };
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify({ name: "tiny", "dist-tags": { latest: "1.2.3" }, versions }));
      }),
    );
    const at = `--registry http://${OPEN}:${registry.port}/ --no-audit --no-fund --loglevel=error --no-update-notifier`;
    const text = await shell(
      `npm view tiny version ${at}; mkdir app && cd app && npm install tiny ${at} >/dev/null && node -p 'require("tiny")'`,
    );
    expect(text).toBe("1.2.3\n42\n");
    expect(registry.count()).toBeGreaterThan(0);
  });

  needs("python3", "curl")(
    "python's urllib, node's fetch and a large upload and download arrive whole",
    async () => {
      const size = 20_000_000;
      await using server = await listen(
        createHttpServer((request, response) => {
          const hash = createHash("md5");
          request.on("data", (piece: Buffer) => hash.update(piece));
          request.on("end", () => {
            if (request.method === "PUT") response.end(`${hash.digest("hex")}\n`);
            else
              response.end(
                request.url === "/large" ? Buffer.alloc(size, "line of text\n") : `hello ${request.url}\n`,
              );
          });
        }),
      );
      const url = `http://${OPEN}:${server.port}`;
      const text = await shell(`
      python3 -c 'import urllib.request as u; print(u.urlopen("${url}/python").read().decode(), end="")'
      [ -x /opt/node/node ] && /opt/node/node -e 'fetch("${url}/node").then((r) => r.text()).then((t) => process.stdout.write(t))'
      curl -s ${url}/large | tee large | md5sum; curl -sp -T large ${url}/up; yes 'line of text' | head -c ${size} | md5sum`);
      const sum = createHash("md5").update(Buffer.alloc(size, "line of text\n")).digest("hex");
      expect(text).toBe(`hello /python\nhello /node\n${sum}  -\n${sum}\n${sum}  -\n`);
    },
  );

  needs("ssh", "git")(
    "ssh comes through by the dialler, and so does git over what speaks on its input and output",
    async () => {
      const greeted = Promise.withResolvers<string>();
      await using fake = await listen(
        createServer((socket) => {
          socket.write("SSH-2.0-fake\r\n");
          socket.once("data", (piece: Buffer) => {
            greeted.resolve(piece.toString("latin1"));
            socket.destroy();
          });
        }),
      );
      await shell(`git clone ssh://ada@${OPEN}:${fake.port}/a.git; true`);
      expect(await greeted.promise).toMatch(/^SSH-2\.0-OpenSSH/);

      await run("git", ["init", "-q", "-b", "main", join(folder, "remote")]);
      const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
      await run("git", [
        "-C",
        join(folder, "remote"),
        ...author,
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "by ssh",
      ]);
      await using server = await listen(
        createServer({ allowHalfOpen: true }, (socket) => {
          const pack = spawn("git", ["upload-pack", join(folder, "remote")], {
            stdio: ["pipe", "pipe", "ignore"],
          });
          socket.pipe(pack.stdin).on("error", () => undefined);
          pack.stdout.pipe(socket);
        }),
      );
      const script = `printf '#!/bin/sh\\nexec /opt/parley/launcher dial ${OPEN} ${server.port}\\n' > fake-ssh; chmod +x fake-ssh
      GIT_SSH_COMMAND=$PWD/fake-ssh GIT_SSH_VARIANT=simple git clone -q host:remote by-ssh && git -C by-ssh log --format=%s
      /opt/parley/launcher dial 10.0.0.1 22; echo $?`;
      expect(await shell(script)).toMatch(
        /^by ssh\nParley does not let commands reach 10\.0\.0\.1:22: it is a private address.*\n1\n$/,
      );
    },
  );
});
