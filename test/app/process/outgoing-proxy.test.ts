/** 40.C5: HTTPS_PROXY, HTTP_PROXY and NO_PROXY count for every connection of the host. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createProxyOf } from "../../../src/app/process/outgoing-proxy.ts";

const run = promisify(execFile);

describe("40.C5 the outgoing proxy of the host", () => {
  it("takes models, Slack and Discord with their sockets; loopback stays direct", async () => {
    const script = join(import.meta.dirname, "through-proxy.ts");
    const { stdout } = await run(process.execPath, [script], { env: { PATH: process.env["PATH"] } });
    expect(JSON.parse(stdout)).toEqual([
      "discord.test",
      "gateway.discord.test",
      "model.test",
      "slack.test",
      "socket.slack.test",
    ]);
  });

  it("is chosen by port, and NO_PROXY excepts hosts, suffixes, ports and everything", () => {
    expect([443, 22, 80].map((port) => chosen([], "git.example", port))).toEqual([
      "secure:1",
      "secure:1",
      "plain:2",
    ]);
    expect(chosen(["git.example"], "git.example", 443)).toBeNull();
    expect(chosen(["git.example"], "a.git.example", 443)).toBe("secure:1");
    expect([".example", "*.example"].map((entry) => chosen([entry], "git.example", 443))).toEqual([
      null,
      null,
    ]);
    expect([8443, 443].map((port) => chosen(["git.example:8443"], "git.example", port))).toEqual([
      null,
      "secure:1",
    ]);
    expect(
      ["10.1.2.3", "::1", "fd00::7"].map((host) => chosen(["10.1.2.3", "[fd00::7]"], host, 443)),
    ).toEqual([null, null, null]);
    expect(chosen(["*"], "git.example", 443)).toBeNull();
    expect(["localhost", "127.0.0.1"].map((host) => chosen([], host, 80))).toEqual([null, null]);
  });
});

const chosen = (NO_PROXY: readonly string[], host: string, port: number): string | null =>
  createProxyOf({ HTTPS_PROXY: "http://secure:1", HTTP_PROXY: "http://plain:2", NO_PROXY })(host, port)
    ?.host ?? null;
