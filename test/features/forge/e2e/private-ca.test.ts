/** A forge whose certificate is of its company's own authority: with NODE_EXTRA_CA_CERTS its API and its git are reached, without it both say so. */

import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createForges } from "../../../../src/features/forge/forges.ts";
import { createFront } from "../../../fakes/shared/front.ts";
import { scratch } from "../../../scratch.ts";
import { createCanaries, good } from "../../../e2e/canaries.ts";

const run = promisify(execFile);

interface Authority {
  /** PEM file. */
  readonly path: string;
  /** Of a server on this machine that it vouches for. */
  readonly tls: { readonly key: string; readonly cert: string };
}

const authority = async (): Promise<Authority> => {
  const folder = scratch("authority");
  const newKey = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2".split(" ");
  const make = (name: string, subject: string, ...more: readonly string[]) => {
    const out = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
    return run("openssl", [...newKey, "-subj", `/CN=${subject}`, ...more, ...out], { cwd: folder });
  };
  await make("ca", "A company");
  const ours = ["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=CA:FALSE"];
  await make("server", "forge", "-CA", "ca.pem", "-CAkey", "ca.key", ...ours);
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { path: join(folder, "ca.pem"), tls: { key: read("server.key"), cert: read("server.pem") } };
};

const NAMED = /could not prove who it is.*NODE_EXTRA_CA_CERTS/;

test("a certificate of the operator's own authority holds for API, clone and push, and for git without a credential", async () => {
  const { path, tls } = await authority();
  const made = await createCanaries({ tls, env: { NODE_EXTRA_CA_CERTS: path } });
  await good(made, "github-app");
  const given = join(made.rig.data, "certificates.pem");
  expect(readFileSync(given, "utf8")).toContain(readFileSync(path, "utf8").trim());
  expect(statSync(given).mode & 0o777).toBe(0o644);
});

test("without it a clone says what the operator has to do", async () => {
  const { tls } = await authority();
  const made = await createCanaries({ tls });
  for (const kind of ["gitlab-token", "github-app"] as const) {
    const said = await (await made.rig.begin(made.at(kind))).turn("what is here?");
    expect(said.posts.at(-1)?.markdown?.replaceAll("\\", ""), kind).toMatch(NAMED);
  }
  expect(made.processes).toEqual([]);
});

test.each([
  ["a token of GitHub's", { kind: "github-token", token: "ghp_0123456789" }],
  ["an app of GitHub's", { kind: "github-app", appId: 1, privateKey: "" }],
  ["a token of GitLab's", { kind: "gitlab-token", token: "glpat-0123456789" }],
] as const)("without it the API and a push with %s say so too", async (_, access) => {
  const { tls } = await authority();
  const front = await createFront(() => "", { tls });
  onTestFinished(front.close);
  const key = access.kind === "github-app" ? { ...access, privateKey: await rsaKey() } : access;
  const located = createForges({
    credentials: [{ repos: ["*"], api: front.url, git: front.url, access: key }],
    fits: () => true,
    userAgent: "parley-test",
  }).at({ kind: "url", location: "https://git.example.org/acme/shop.git" });
  if (located.kind === "none" || located.project.desk === null) throw new Error("there is no desk");
  const { signal } = new AbortController();
  expect(await located.project.issue(1, 1, signal)).toMatchObject({ why: expect.stringMatching(NAMED) });
  expect(await located.project.desk.branches(signal)).toMatchObject({
    why: expect.stringMatching(NAMED),
  });
  expect(front.asked).toEqual([]);
});

const rsaKey = async (): Promise<string> => (await run("openssl", ["genrsa", "-traditional", "2048"])).stdout;
