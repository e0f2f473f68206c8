/** The operator's file of credentials: refused with every problem named, and never with a secret in the message. */

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readCredentials, secretsIn } from "../../../../src/features/forge/api/credentials.ts";

const write = (content: unknown, mode = 0o600): string => {
  const folder = mkdtempSync(join(tmpdir(), "parley-forges-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "forges.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  writeFileSync(join(folder, "app.pem"), "-----BEGIN RSA PRIVATE KEY-----\nMII\n", { mode: 0o600 });
  writeFileSync(join(folder, "note.txt"), "not a key", { mode: 0o600 });
  writeFileSync(join(folder, "shop_key"), "-----BEGIN OPENSSH PRIVATE KEY-----\ncanary\n", { mode: 0o600 });
  writeFileSync(join(folder, "known_hosts"), "github.com ssh-ed25519 AAAA\n", { mode: 0o600 });
  writeFileSync(join(folder, "empty"), "\n", { mode: 0o600 });
  writeFileSync(join(folder, "open"), "-----BEGIN OPENSSH PRIVATE KEY-----\ncanary\n", { mode: 0o644 });
  chmodSync(path, mode);
  return path;
};

const deployKey = {
  kind: "deploy-key",
  repos: ["acme/shop"],
  keyFile: "shop_key",
  knownHostsFile: "known_hosts",
};

const anyPattern = (): null => null;
const token = { kind: "github-token", repos: ["acme/*"], token: "ghp_canary123456" };

describe("the file of credentials", () => {
  it("gives each line its access, keys read from beside it", () => {
    const app = { kind: "github-app", repos: ["beta/*"], appId: 7, privateKeyFile: "app.pem" };
    const lab = { kind: "gitlab-token", repos: ["gitlab.com/team/*"], token: "glpat-canary1234" };
    const read = readCredentials(write({ forges: [token, app, lab] }), anyPattern);
    expect(read).toEqual({
      kind: "credentials",
      credentials: [
        {
          repos: ["acme/*"],
          api: null,
          git: null,
          access: { kind: "github-token", token: "ghp_canary123456" },
        },
        {
          repos: ["beta/*"],
          api: null,
          git: null,
          access: {
            kind: "github-app",
            appId: 7,
            privateKey: "-----BEGIN RSA PRIVATE KEY-----\nMII\n",
          },
        },
        {
          repos: ["gitlab.com/team/*"],
          api: null,
          git: null,
          access: { kind: "gitlab-token", token: "glpat-canary1234" },
        },
      ],
    });
    expect(read.kind === "credentials" ? secretsIn(read.credentials) : []).toHaveLength(3);
  });

  it("gives a deploy key by its path, its words to nobody", () => {
    const path = write({ forges: [deployKey] });
    const read = readCredentials(path, anyPattern);
    expect(read).toMatchObject({
      credentials: [
        {
          access: {
            kind: "deploy-key",
            keyFile: join(dirname(path), "shop_key"),
            knownHostsFile: join(dirname(path), "known_hosts"),
            user: "git",
            host: null,
            port: 22,
          },
        },
      ],
    });
    expect(JSON.stringify(read)).not.toContain("canary");
  });

  it("is refused where others can read it", () => {
    const path = write({ forges: [token] }, 0o644);
    expect(readCredentials(path, anyPattern)).toEqual({
      kind: "invalid",
      problems: [`${path} can be read by others: chmod 600 ${path}`],
    });
  });

  it.each([
    ["no JSON", "{"],
    ["an unknown kind", { forges: [{ ...token, kind: "svn" }] }],
    ["a misspelt field", { forges: [{ ...token, tokn: "ghp_canary123456" }] }],
    ["no repositories", { forges: [{ ...token, repos: [] }] }],
    [
      "a key that is none",
      { forges: [{ kind: "github-app", repos: ["a/b"], appId: 1, privateKeyFile: "note.txt" }] },
    ],
    ["a deploy key that others can read", { forges: [{ ...deployKey, keyFile: "open" }] }],
    ["a deploy key that is none", { forges: [{ ...deployKey, keyFile: "note.txt" }] }],
    ["a deploy key without known hosts", { forges: [{ ...deployKey, knownHostsFile: "empty" }] }],
    ["a deploy key at a path that ssh would read otherwise", { forges: [{ ...deployKey, keyFile: "%h" }] }],
    ["a deploy key for a host that is an option", { forges: [{ ...deployKey, host: "-oProxyCommand=x" }] }],
    [
      "a key that is missing",
      { forges: [{ kind: "github-app", repos: ["a/b"], appId: 1, privateKeyFile: "gone.pem" }] },
    ],
  ])("is refused for %s, without showing what is in it", (_, content) => {
    const read = readCredentials(write(content), anyPattern);
    expect(read.kind).toBe("invalid");
    expect(JSON.stringify(read)).not.toContain("canary");
  });

  it("is refused for a pattern that PARLEY_REPOS would not take, and names it", () => {
    const read = readCredentials(write({ forges: [token] }), () => "is not owner/name");
    expect(read).toMatchObject({ problems: [expect.stringContaining("acme/* is not owner/name")] });
  });
});
