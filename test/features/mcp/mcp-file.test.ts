/** The file of MCP servers: what others' files have is taken, every mistake names its line, and no value is told. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readMcpFile } from "../../../src/features/mcp/mcp-file.ts";
import type { McpEntry } from "../../../src/features/mcp/entry.ts";
import { scratch } from "../../scratch.ts";

const VARIABLES = new Map([["LINEAR_API_KEY", "lin_api_123456789"]]);
const read = (text: string) => {
  const path = join(scratch("mcp-file"), "mcp.json");
  writeFileSync(path, text);
  const file = readMcpFile(path, (name) => VARIABLES.get(name) ?? null);
  return file.kind === "servers"
    ? file
    : { ...file, problems: file.problems.map((one) => one.replace(`${path}:`, "")) };
};
const servers = (text: string): readonly McpEntry[] => {
  const file = read(text);
  if (file.kind === "invalid") throw new Error(file.problems.join("\n"));
  return file.servers;
};
const problems = (text: string): readonly string[] => {
  const file = read(text);
  return file.kind === "invalid" ? file.problems : [];
};
const one = (fields: string): string => `{ "mcpServers": {\n  "one": {\n    ${fields}\n  } } }`;

const oauthWith = (rest: string): string =>
  one(`"url": "https://x.example/mcp", "oauth": { "issuer": "https://a.example", "clientId": "p", ${rest} }`);

describe("what is taken", () => {
  it("programs and addresses, comments and trailing commas; variables are filled in and known as secrets", () => {
    const [linear, files] = servers(`{
      // of the team
      "mcpServers": {
        "linear": { "type": "http", "url": "https://mcp.linear.app/mcp",
          "headers": { "Authorization": "Bearer \${LINEAR_API_KEY}" }, "read": ["get_issue"], "timeoutSeconds": 5 },
        "files": { "command": "node", "args": ["server.js"], "env": { "API_TOKEN": "plainly-here", "LEVEL": "verbose-words" },
          "paths": ["/srv/docs"], "hosts": ["sentry.io", "db.example:5432"], },
      },
    }`);
    expect(linear).toMatchObject({
      name: "linear",
      reads: ["get_issue"],
      timeout: 5_000,
      way: { kind: "http", headers: { Authorization: "Bearer lin_api_123456789" }, oauth: null },
    });
    expect(linear?.secrets).toEqual(
      expect.arrayContaining(["lin_api_123456789", "Bearer lin_api_123456789"]),
    );
    expect(files).toMatchObject({
      reads: [],
      timeout: 60_000,
      way: { argv: ["node", "server.js"], hosts: ["sentry.io:443", "db.example:5432"], writePaths: [] },
    });
    expect(files?.secrets).toEqual(["plainly-here"]);
  });

  it("OAuth with the issuer that the secret goes to", () => {
    const oauth = `"oauth": { "issuer": "https://auth.example", "clientId": "p", "clientSecret": "\${LINEAR_API_KEY}" }`;
    const [entry] = servers(one(`"url": "https://x.example/mcp", ${oauth}`));
    expect(entry?.way).toMatchObject({
      oauth: { issuer: "https://auth.example", clientSecret: "lin_api_123456789" },
    });
    expect(
      problems(one(`"url": "https://x.example/mcp", "oauth": { "clientId": "p", "clientSecret": "s" }`)),
    ).toEqual([expect.stringMatching(/^3: oauth\.issuer must be an address/)]);
  });

  it("OAuth with a refresh token or a private key, which are secrets too; with one way of being the client", () => {
    const [refreshed] = servers(oauthWith(`"refreshToken": "\${LINEAR_API_KEY}"`));
    expect(refreshed?.way).toMatchObject({ oauth: { refreshToken: "lin_api_123456789" } });
    expect(refreshed?.secrets).toContain("lin_api_123456789");
    const [signed] = servers(oauthWith(`"privateKey": "\${LINEAR_API_KEY}", "algorithm": "ES256"`));
    expect(signed?.way).toMatchObject({ oauth: { privateKey: "lin_api_123456789", algorithm: "ES256" } });
    expect(signed?.secrets).toContain("lin_api_123456789");
    expect(problems(oauthWith(`"privateKey": "a", "clientSecret": "b"`))).toEqual([
      "3: oauth.privateKey and clientSecret exclude each other",
    ]);
    expect(problems(oauthWith(`"scope": "read"`))).toEqual([
      "3: oauth.clientSecret is required, or privateKey, or refreshToken",
    ]);
  });
});

describe("what is not", () => {
  it("unknown fields name the nearest and the line", () => {
    expect(problems(one(`"command": "x",\n    "arg": []`))).toEqual([
      '4: "arg" is not a field of a server; did you mean args?',
    ]);
    expect(problems(one(`"command": "x",\n    "autoApprove": ["a"]`))).toEqual([
      '4: "autoApprove" is not a field of a server',
    ]);
    expect(problems(`{ "mcpServer": {} }`)).toContain(
      '1: "mcpServer" is not a field of a server; did you mean mcpServers?',
    );
  });

  it("both ways or neither, fields of the other way, and what the sandbox could not hold", () => {
    expect(problems(one(`"read": []`))).toEqual(["2: command or url is required, but not both"]);
    expect(problems(one(`"command": "x", "url": "https://x.example/"`))[0]).toContain("but not both");
    expect(problems(one(`"url": "https://x.example/", "paths": ["/srv"]`))).toEqual([
      "3: paths does not belong to a server with url",
    ]);
    for (const path of ["srv", "/", "/srv/../etc", "/srv//x", "/srv/"])
      expect(problems(one(`"command": "x", "paths": ["${path}"]`))).toEqual([
        "3: paths.0 must be a plain absolute path",
      ]);
    expect(problems(one(`"command": "x", "paths": ["/srv/docs"]`))).toEqual([]);
    expect(problems(one(`"command": "x", "hosts": ["https://x"]`))[0]).toContain("must be a host");
  });

  it("an address without TLS, but on this machine", () => {
    expect(problems(one(`"url": "http://x.example/mcp"`))).toEqual([
      "3: url must begin with https:// unless the address is on this machine",
    ]);
    expect(problems(one(`"url": "http://127.0.0.1:3000/mcp"`))).toEqual([]);
    expect(problems(one(`"url": "http://127.0.0.1.example/mcp"`))).toHaveLength(1);
  });

  it("a variable that is not set, and names that nobody could type; no value is told", () => {
    const [problem = ""] = problems(one(`"command": "x",\n    "env": { "A": "sk-value \${NOT_THERE_KEY}" }`));
    expect(problem).toMatch(/^4: \$\{NOT_THERE_KEY\} is not set/);
    expect(problem).not.toContain("sk-value");
    expect(problems(`{ "mcpServers": { "My Server": { "command": "x" } } }`)).toHaveLength(1);
    expect(problems("{")).toEqual([expect.stringContaining("is not JSON")]);
    expect(readMcpFile("/nowhere/mcp.json", () => null)).toEqual({
      kind: "invalid",
      problems: ["PARLEY_MCP: /nowhere/mcp.json cannot be read (ENOENT)"],
    });
  });
});
